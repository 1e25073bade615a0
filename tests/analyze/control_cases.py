#!/usr/bin/env python3
"""Prints the gains of a sampled regulator by SciPy: a pole on a cart, held for 0.02, the cost integrated within a step.

control_test.cpp has what it prints.
"""
import numpy as np
from scipy.integrate import quad_vec
from scipy.linalg import expm, solve_discrete_are

cart, m, l, g, h = 0.5, 0.1, 0.1, 9.81, 0.02
M = np.array([[cart + m, m * l], [m * l, m * l * l]])
K = np.diag([0, -m * g * l])
A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), np.zeros((2, 2))]])
B = np.concatenate([np.zeros(2), np.linalg.solve(M, [1, 0])])[:, None]
F = np.block([[A, B], [np.zeros((1, 5))]])
W = np.diag([1.0, 8, 1, 8, 1])
sums = quad_vec(lambda t: expm(F * t).T @ W @ expm(F * t), 0, h, epsabs=1e-15, epsrel=1e-13)[0]
E = expm(F * h)
Ad, Bd, Q, N, R = E[:4, :4], E[:4, 4:], sums[:4, :4], sums[:4, 4:], sums[4:, 4:]
P = solve_discrete_are(Ad, Bd, Q, R, s=N)
print(np.linalg.solve(R + Bd.T @ P @ Bd, Bd.T @ P @ Ad + N.T)[0].tolist())
