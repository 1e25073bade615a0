// The words of the page around its tables.
#pragma once

namespace hamel::errata {

inline constexpr const char* opening = R"(# Errata, checked by machine

hamel is built on five texts by Taeyoung Lee, Melvin Leok and N. Harris McClamroch. They are excellent: clear, complete,
and written so that a program could follow them. This page is a thank-you to their authors, and is meant to be sent to them.
It lists what was found when their equations were read beside a program that derives the same motion, and it offers the
check: whoever changes an equation can run it again.

- [M] *Global Formulations of Lagrangian and Hamiltonian Dynamics on Manifolds*, Springer 2018
- [P] *Global Formulations of Lagrangian and Hamiltonian Mechanics on Two-Spheres*
- [E] *Global Formulations of Lagrangian and Hamiltonian Dynamics on Embedded Manifolds*
- [C] *Dynamics and Control of a Chain Pendulum on a Cart*, arXiv:1211.4604
- [V] *Lagrangian mechanics and variational integrators on two-spheres*, International Journal for Numerical Methods in
  Engineering 79 (2009); arXiv:0707.0022

**What was found right.** Nearly everything. )";

// {count}: of equations without a row, as printed; {chapters}: where
inline constexpr const char* found_right_text =
    R"({count} numbered equations of [M] were written into the tests of
hamel by hand, as they are printed (some solved for a rate), and agree to rounding with the motion that hamel derives from the energies alone
({chapters}). `grep -rni 'book (' tests/systems tests/gallery` lists them, beside others that say *corrected*;
`ctest --preset release -R '^(systems|gallery)'` runs them. The general equations in $(q,\dot q)$ and in $(q,\omega)$ of
chapters 3 to 8, of [P] and of [E], and the integrators of [V] are right, but for the rows of list A1 and some of D. The mean errors of the energy that [V] prints are reproduced to three digits and more
(`build/tests/test_gallery --gtest_filter='PaperOnTwoSpheres.*'`), and so are the figures of [C] (`make paper`).
)";

inline constexpr const char* how_checked = R"(
**Nothing here was seen in print.** The texts were read as digital conversions, in which a dot, a hat, a sign, a transpose, an index
or a letter (g and q, i and 1, $\kappa$ and k) can be lost without the print being wrong. So every row has a mark, *conversion*
or *print*, which today is *conversion* throughout; rows that hang on a single glyph are held back in list D until somebody has looked at
the page; and places are given by section and number of the equation, for the conversions have no page numbers. The problems at the ends of chapters
are quoted from notes that were compared with the text once more.

**How it was checked.** For each system hamel derives the motion from its energies (the model files in
[`models/`](../models)), without using any equation of motion of the texts. At a state drawn at random this motion is
put into the equation as printed and into the equation as corrected. The two numbers of the column *evidence*, printed /
corrected, are the largest components of what remains: the left one should be zero and is not, the right one is zero up
to rounding or, where derivatives are taken by differences, up to about 1e-11. Linearizations are compared with the derivative of the derived
motion at the equilibrium, claims of conservation with the derivative of the quantity along the motion, identities by
inserting random vectors and rotations. An equation whose terms do not fit together is shown by the sizes of its terms
(of an example where they are general), as matrices. A statement in words is shown by an example, which is computed too.
*By reading* means that nothing was computed.

**How to repeat it.** `make errata` writes this page; the test `errata` evaluates it again and compares.

Notation: $S=\begin{bmatrix}0&-1\cr 1&0\end{bmatrix}$, $S(a)b=a\times b$, $P_i=I-q_iq_i^T$, $r_i=R^Te_i$, and $M^I$ for
the inverse of $M$ or a block of it. Equations are quoted in full, lines of a derivation by the term in question.
)";

inline constexpr const char* list_a = R"(
## A. What changes a result

Equations and claims that lead to another motion, another number or another conclusion, with the consequence in words.
)";

inline constexpr const char* list_b = R"(
## B. Slips that a reader repairs

The text around them, or the sizes of their terms, show what is meant.
)";

inline constexpr const char* list_c = R"(
## C. Notation, references, remarks

Not checked, and of no consequence.
)";

inline constexpr const char* list_d = R"(
## D. To be compared with the print

Each of these hangs on one glyph, which the conversion may have lost. The corrected form holds in any case; whether it is a
correction, the printed page (for [C] and [V] also the source on arXiv) decides. What is wrong there belongs to list A or B.
)";

}  // namespace hamel::errata
