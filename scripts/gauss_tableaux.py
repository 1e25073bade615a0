#!/usr/bin/env python3
"""Writes src/integrate/gauss_coefficients.inc: the Gauss tableaux with s = 1..8 stages, from 60 digits.

Each number is the sum of three doubles: a multiple of 2^-12, the rest, and what that leaves; some 118 bits. Needs
python3-mpmath.
"""
import mpmath as mp

mp.mp.dps = 60
LARGEST = 8
UNIT = 2**12


def nodes(s):
    """The zeros of the Legendre polynomial of degree s on [0, 1]."""
    coefficients = [mp.mpf(0)] * (s + 1)  # highest power first
    for k in range(s // 2 + 1):
        coefficients[2 * k] = (-1) ** k * mp.binomial(s, k) * mp.binomial(2 * s - 2 * k, s) / mp.mpf(2) ** s
    roots = mp.polyroots(coefficients, maxsteps=500, extraprec=400)
    return sorted((1 + mp.re(root)) / 2 for root in roots)


def lagrange_coefficients(c, j):
    """Of the polynomial that is 1 at c[j] and 0 at the other nodes; constant term first."""
    result = [mp.mpf(1)]
    for k, node in enumerate(c):
        if k == j:
            continue
        scale = 1 / (c[j] - node)
        shifted = [mp.mpf(0)] + result
        result = [scale * (high - node * low) for high, low in zip(shifted, result + [mp.mpf(0)])]
    return result


def integral(coefficients, end):
    return sum(a * end ** (k + 1) / (k + 1) for k, a in enumerate(coefficients))


def parts(x):
    x = x if abs(x) > mp.mpf(10) ** -50 else mp.mpf(0)
    exact = mp.nint(x * UNIT) / UNIT
    rest = float(x - exact)
    return f"{{{float(exact).hex()}, {rest.hex()}, {float(x - exact - rest).hex()}}}"


def tableau(s):
    c = nodes(s)
    basis = [lagrange_coefficients(c, j) for j in range(s)]
    b = [integral(basis[j], mp.mpf(1)) for j in range(s)]
    a = [[integral(basis[j], c[i]) for j in range(s)] for i in range(s)]
    defect = max(abs(b[i] * a[i][j] + b[j] * a[j][i] - b[i] * b[j]) for i in range(s) for j in range(s))
    assert defect < mp.mpf(10) ** -50, defect
    rows = [c, b] + a
    return "\n".join("    " + ", ".join(parts(x) for x in row) + "," for row in rows)


with open("src/integrate/gauss_coefficients.inc", "w", encoding="ascii") as file:
    file.write("// Written by scripts/gauss_tableaux.py. For s = 1, 2, ...: nodes c, weights b, then the rows of A.\n")
    for s in range(1, LARGEST + 1):
        file.write(f"    // s = {s}\n{tableau(s)}\n")
