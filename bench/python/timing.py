"""CPU times of calls of functions that are compared, on one processor."""

import os
import time

import numpy as np


def use_one_processor():
    """heyoka divides 10,000 states among all processors, and Linux books what a running thread has used late: the CPU time of
    a call then lacks much of what others of its threads did: 14 ns per state where two threads took 14 ns each. On one
    processor there are no others."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def cpu(functions, seconds=6):
    """The CPU time that one in fifty calls of each keeps below: what others do on the machine adds to most, and the least of
    all varies by a third from run to run. They take turns, so that all are disturbed alike, and each runs three times, so that its memory
    is in the cache."""
    times, end = {name: [] for name in functions}, time.process_time() + seconds
    while time.process_time() < end:
        for name, function in functions.items():
            for _ in range(3):
                begin = time.process_time()
                function()
                times[name].append(time.process_time() - begin)
    return {name: np.percentile(one, 2) for name, one in times.items()}
