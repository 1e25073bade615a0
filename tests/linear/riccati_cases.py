#!/usr/bin/env python3
"""Writes riccati_cases.inc: solutions of Riccati's equations and ordered Schur forms by SciPy 1.17.

    python3 riccati_cases.py > riccati_cases.inc
"""
import numpy as np
from scipy.linalg import expm, schur, solve_continuous_are, solve_discrete_are


def chain_on_cart(s, cart=0.5, m=0.1, l=0.1, g=9.81):
    """One vertical plane of n links on a cart, and a force on the cart: A and B of (x, xi, x', xi')."""
    n = len(s)
    beyond = lambda i: (n - i) * m
    M, K = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
    M[0, 0] = cart + beyond(0)
    for i in range(n):
        M[0, i + 1] = M[i + 1, 0] = beyond(i) * l
        K[i + 1, i + 1] = s[i] * beyond(i) * g * l
        for j in range(n):
            M[i + 1, j + 1] = beyond(max(i, j)) * l * l
    A = np.block([[np.zeros((n + 1, n + 1)), np.eye(n + 1)], [-np.linalg.solve(M, K), np.zeros((n + 1, n + 1))]])
    B = np.concatenate([np.zeros(n + 1), np.linalg.solve(M, np.eye(n + 1)[0])])[:, None]
    return A, B


def sampled(A, B, h):
    n, m = B.shape
    E = expm(h * np.block([[A, B], [np.zeros((m, n + m))]]))
    return E[:n, :n], E[:n, n:]


def condition(A, B, P, R, discrete):
    """Of the linear equation for corrections of P: how much it enlarges an error of the right side."""
    n = len(A)
    if discrete:
        C = A - B @ np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        L = np.kron(C.T, C.T) - np.eye(n * n)
    else:
        C = A - B @ np.linalg.solve(R, B.T @ P)
        L = np.kron(C.T, np.eye(n)) + np.kron(np.eye(n), C.T)
    return np.linalg.cond(L)


def solution(A, B, Q, R, discrete):
    return (solve_discrete_are if discrete else solve_continuous_are)(A, B, Q, R)


def numbers(X):
    return "{" + ", ".join(repr(float(x)) for x in np.asarray(X).T.ravel()) + "}"  # column by column


random = np.random.default_rng(7)
pole = chain_on_cart([-1])
mixed = chain_on_cart([-1, 1])
problems = [
    ("double integrator", np.array([[0.0, 1], [0, 0]]), np.array([[0.0], [1]]), np.eye(2), np.eye(1), False),
    ("four states, two inputs", random.normal(size=(4, 4)), random.normal(size=(4, 2)), np.diag([1.0, 2, 0, 4]),
     np.array([[2, 0.5], [0.5, 1]]), False),
    ("eight states", random.normal(size=(8, 8)), random.normal(size=(8, 3)), np.eye(8), np.eye(3), False),
    ("pole on a cart", *pole, np.diag([1.0, 8, 1, 8]), np.eye(1), False),
    ("two links on a cart", *mixed, np.diag([1.0, 8, 8, 1, 8, 8]), np.eye(1), False),
    ("singular A", np.array([[0.0, 1, 0], [0, 0, 2], [0, 0, 0]]), np.array([[0.0], [0], [1]]), np.eye(3), np.eye(1), True),
    ("unstable, sampled", *sampled(random.normal(size=(5, 5)), random.normal(size=(5, 2)), 0.1), np.eye(5),
     np.diag([1.0, 3]), True),
    ("pole on a cart, sampled", *sampled(*pole, 0.02), np.diag([1.0, 8, 1, 8]), np.eye(1), True),
]
assert all(condition(A, B, solution(A, B, Q, R, discrete), R, discrete) < 1e6 for _, A, B, Q, R, discrete in problems)

# The second one in other units, which may change neither digits nor ranks.
name, A, B, Q, R, discrete = problems[1]
D = np.diag([1e4, 1, 1e-3, 1e2])
problems.append(("badly scaled", np.linalg.inv(D) @ A @ D, np.linalg.inv(D) @ B, D @ Q @ D, R, discrete))

print("// By riccati_cases.py: name, discrete, states, inputs, A, B, Q, R, P")
print("const std::vector<RiccatiCase> riccati_cases{")
for name, A, B, Q, R, discrete in problems:
    if name == "badly scaled":
        P = D @ solution(*problems[1][1:]) @ D
    else:
        P = solution(A, B, Q, R, discrete)
    print(f'    {{"{name}", {str(discrete).lower()}, {len(A)}, {B.shape[1]},', end="\n     ")
    print(",\n     ".join(numbers(X) for X in (A, B, Q, R, P)), end="},\n")
print("};\n")

print("// name, states, how many are chosen, A, the orthogonal projection onto the subspace of its left half plane")
print("const std::vector<SchurCase> schur_cases{")
for name, A in [("six states", random.normal(size=(6, 6))), ("nine states", random.normal(size=(9, 9)))]:
    T, U, k = schur(A.astype(complex), output="complex", sort="lhp")
    projection = (U[:, :k] @ U[:, :k].conj().T).real
    print(f'    {{"{name}", {len(A)}, {k},\n     {numbers(A)},\n     {numbers(projection)}}},')
print("};")
