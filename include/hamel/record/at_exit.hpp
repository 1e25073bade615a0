// How a program ends that has read records of others.
#pragma once

namespace hamel {

// When a program ends, HDF5 closes what it believes to be open. Where it failed to open a damaged file, 1.10.8 believes
// so still, and crashes. This lets it be; hamel has closed its files by then. To be called before anything else of
// HDF5, by programs whose other parts close theirs, too.
void end_without_hdf5();

}  // namespace hamel
