// All of hamel.
//
//   Model       what you write: energies in vectors and rotation matrices          model/model.hpp
//   derive      their equations of motion, a System                                mechanics/system.hpp
//   integrate   the motion, a Trajectory                                           integrate/integrate.hpp
#pragma once

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/system.hpp"
#include "hamel/model/model.hpp"
