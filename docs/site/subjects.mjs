// What the gallery opens with, and the subjects that its systems belong to.

// Pictures that say most; the first row is seen first.
export const selection = [
  "four-coupled-spherical-pendula",
  "elastically-supported-rigid-body",
  "chain-pendulum-on-cart",
  "spherical-pendulum",
  "two-quadrotors-payload",
  "molecules-on-sphere",
  "particle-rotating-hoop",
  "pendulum-3d",
  "fixed-free-elastic-rod",
  "spin-chain",
  "rotating-body-with-appendage",
  "full-body-problem",
];

// By what a model is called; the first that fits counts. They are shown in the order of `place`.
const subjects = [
  { place: 11, name: "Prescribed motion", fits: /^kin-/ },
  { place: 10, name: "Vector fields", fits: /^vf-/ },
  { place: 2, name: "Pendulums on carts", fits: /on-cart/ },
  { place: 3, name: "Chains, ropes and rods", fits: /chain-pendulum|free-free-chain|rope|\brod\b/ },
  { place: 6, name: "In orbit", fits: /orbit|satellite|spacecraft|kepler|full-body/ },
  { place: 7, name: "In flight", fits: /quadrotor|wing/ },
  { place: 1, name: "Pendulums", fits: /pendul|coupled-s\d/ },
  { place: 5, name: "Mechanisms and robots", fits: /slider-crank|robot/ },
  { place: 9, name: "Many particles and spins", fits: /spin-chain|molecules|dipoles|three-bodies-on-sphere/ },
  { place: 8, name: "Particles on curves, surfaces and subspaces", fits: /particle|-general|holonomic|linear-manifolds|subspace|stiefel/ },
  { place: 4, name: "Rigid bodies", fits: /body|bodies|-top$|handle/ },
  { place: 12, name: "Others", fits: /./ },
];

const subjectOf = (id) => subjects.find(({ fits }) => fits.test(id));

// [name, members] of every subject that has some.
export function grouped(models) {
  return [...subjects]
    .sort((a, b) => a.place - b.place)
    .map((subject) => [subject.name, models.filter(({ id }) => subjectOf(id) === subject)])
    .filter(([, members]) => members.length > 0);
}
