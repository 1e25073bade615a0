"""The tables of the tests in C++ (tests/**/*.txt): the same mistakes, equations, claims and spectra from Python."""

import itertools
import pathlib
import re

import hamel as hm
import numpy as np
import pytest

TESTS = pathlib.Path(__file__).parents[2] / "tests"


def read_lines(path):
    return [line for line in (TESTS / path).read_text().split("\n") if not line.startswith("#")]


def read_cases(path):
    """What stands before the first case, and the lines of each by its name, without empty ones at their end."""
    shared, cases = [], {}
    lines = shared
    for line in read_lines(path):
        if line.startswith("== "):
            lines = cases.setdefault(line[3:], [])
        else:
            lines.append(line)
    return shared, {name: "\n".join(lines).rstrip("\n").split("\n") for name, lines in cases.items()}


def mistakes(path):
    shared, cases = read_cases(path)
    model = "".join(line + "\n" for line in shared)
    for name, lines in cases.items():
        right, wrong = ("".join(line[1:] + "\n" for line in lines if line[0] == sign) for sign in "-+")
        message = "\n".join(line for line in lines if line[0] not in "-+")
        assert right in model and message, name
        yield pytest.param(model.replace(right, wrong, 1), message, id=name)


@pytest.mark.parametrize("text, message", [*mistakes("language/mistakes.txt"), *mistakes("language/hints.txt")])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_mistakes_are_explained(text, message):
    with pytest.raises(hm.SourceError) as refusal:
        file = hm.parse(text, "model.toml")
        file.start(file.derive())
    assert str(refusal.value) == message


def printed(path):
    """Equations by form and notation, after the text of their model or its name in the gallery."""
    for case, lines in read_cases(path)[1].items():
        model, blocks = [], {}
        inside = model
        for line in lines:
            if not line or line.startswith("  "):
                inside.append(line[2:])
            elif line.startswith("model "):
                model.append(line)
            elif line != "model":
                inside = blocks.setdefault(line, [])
        for block, equations in blocks.items():
            form, _, notation = block.partition(" ")
            if notation in ("", "text", "latex"):  # Python has no components
                yield pytest.param(model, form, notation == "latex", equations, id=f"{case}-{block}".replace(" ", "-"))


@pytest.mark.parametrize(
    "model, form, latex, equations", [*printed("language/printed.txt"), *printed("language/printed_models.txt")]
)
def test_equations_are_those_of_the_book(model, form, latex, equations):
    file = hm.gallery[model[0][6:]] if model[0].startswith("model ") else hm.parse("\n".join(model) + "\n")
    assert file.model.equations(form, latex) == equations


def claims():
    named = {}
    for line in read_lines("gallery/claims.txt"):
        parts = [part.strip() for part in line.split("|")]
        if len(parts) > 1:
            setting = dict([map(str.strip, parts[5].split("="))]) if len(parts) > 5 else {}
            momenta = {one for name in parts[3].split(",") for one in named.get(name.strip(), {name.strip()})}
            yield pytest.param(parts[0], parts[1], int(parts[2]), momenta, parts[4] != "varies", setting, id=parts[0])
        elif " =" in line:
            name, names = line.split(" =")
            names = [one.strip() for one in names.split(",") if one.strip()]
            named[name] = {momentum for one in names for momentum in named.get(one, {one})}


def test_every_model_has_its_claims():
    assert sorted(one.id for one in claims()) == sorted(hm.gallery)


@pytest.mark.parametrize("name, space, freedom, momenta, energy, smaller", [*claims()])
def test_claims_hold(name, space, freedom, momenta, energy, smaller):
    model = hm.load(hm.gallery.path(name), set=smaller).model
    system = model.derive()
    assert system.degrees_of_freedom == freedom
    factors = system.space.name.split(" x ")
    powers = [(factor, len([*equal])) for factor, equal in itertools.groupby(factors)]
    assert " x ".join(factor if power == 1 else f"{factor}^{power}" for factor, power in powers) == space
    found = model.conserved()
    assert {re.sub(r" \(.*", "", one.name) for one in found.momenta} == momenta
    assert found.energy_conserved == energy


def spectra():
    for line in read_lines("analyze/oracles.txt"):
        parts = [part.strip() for part in line.split("|")]
        if len(parts) > 1 and parts[3] == "rest":
            point, numbers = (np.array(parts[k].split(), dtype=float) for k in (2, 4))
            yield pytest.param(parts[0], point, numbers[::2] + 1j * numbers[1::2], id=f"{parts[0]}-{parts[1]}")


@pytest.mark.parametrize("name, point, eigenvalues", [*spectra()])
def test_spectra_are_those_found_otherwise(name, point, eigenvalues):
    system = hm.gallery[name].derive()
    q = {one: point[first : first + rows * columns].reshape(rows, columns, order="F").squeeze()
         for one, first, rows, columns in system.layout}  # fmt: skip
    found = np.array(system.linearize(system.state(**q)).eigenvalues())
    assert len(found) == len(eigenvalues)
    for value in eigenvalues:  # those of blocks are known to the square root of rounding
        nearest = np.argmin(abs(found - value))
        assert abs(found[nearest] - value) < 2e-6 * (1 + abs(value))
        found = np.delete(found, nearest)
