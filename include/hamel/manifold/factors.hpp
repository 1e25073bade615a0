// All factors that hamel knows.
#pragma once

#include "hamel/manifold/embedded.hpp"
#include "hamel/manifold/homogeneous.hpp"
#include "hamel/manifold/lie_group.hpp"
#include "hamel/manifold/projected.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/se3.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/manifold/sphere_n.hpp"
