#!/usr/bin/env python3
"""Writes answers.txt, those of python-control (0.10.2) about linear models of this folder and of the gallery.

    pip install control && tests/gallery/python_control/record.py build/hamel > tests/gallery/python_control/answers.txt

The matrices A and B are hamel's, in its basis, without the laws of the inputs (--open); they are held against
differences of the flow elsewhere. What is measured is x alone, C = [I 0]; weights are 1, and so is the noise of all x'.
"""
import json
import pathlib
import subprocess
import sys

import control
import numpy as np

HERE = pathlib.Path(__file__).parent
CASES = [
    ("pole", "inverted"),
    ("two-poles", "hanging"),
    ("quadrotor", "hover"),
    ("chain-pendulum-on-cart-controlled", "the goal of the control"),
    ("chain-pendulum-on-cart-regulated", "hanging"),
]
SAMPLE = 0.01


def text(matrix):
    return " ".join(repr(float(x)) for x in np.asarray(matrix).T.ravel())  # column by column


def answers(A, B, controllable):
    n, m = B.shape
    C = np.eye(n // 2, n)
    system = control.ss(A, B, C, 0)
    result = ["-", "-", "-"]
    if controllable:
        step = control.c2d(system, SAMPLE, "zoh")
        result[0] = text(control.lqr(A, B, np.eye(n), np.eye(m))[0])
        result[1] = text(control.dlqr(step.A, step.B, np.eye(n), np.eye(m))[0])
        noise = np.vstack([np.zeros((n // 2, n // 2)), np.eye(n // 2)])
        result[2] = text(control.lqe(A, noise, C, np.eye(n // 2), np.eye(n // 2))[0])
    poles = sorted(control.poles(system), key=lambda z: (round(z.real, 6), z.imag))
    result.append(" ".join(f"{float(z.real)!r} {float(z.imag)!r}" for z in poles))
    ranks = [np.linalg.matrix_rank(X) for X in (control.ctrb(A, B), control.obsv(A, C))]
    result.append(" ".join(map(str, ranks)) if n <= 12 else "-")  # powers of 24 say nothing in double precision
    return result


def main():
    print("# By record.py. model | equilibrium | A | B | lqr | dlqr at 0.01 | lqe | poles, re im | ranks of ctrb and obsv")
    for model, at in CASES:
        file = HERE / f"{model}.toml"
        command = [sys.argv[1], "linearize", str(file) if file.exists() else model, "--at", at, "--open", "--json"]
        linear = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        A, B = np.array(linear["first_order"]["A"]), np.array(linear["first_order"]["B"])
        print(" | ".join([model, at, text(A), text(B), *answers(A, B, model != "two-poles")]))


if __name__ == "__main__":
    main()
