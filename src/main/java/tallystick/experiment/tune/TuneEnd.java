package tallystick.experiment.tune;

import java.util.List;
import tallystick.experiment.JointObjective;

/**
 * A tuning that has ended.
 *
 * @param scenario its name
 * @param engine in words
 * @param grid what was tried
 * @param objective what a cell had to hold
 * @param screening what the blocks say
 * @param choice among the cells
 * @param answer how it ended
 * @param runs all of the blocks
 * @param time how long it took, in words
 */
record TuneEnd(
    String scenario,
    String engine,
    Grid grid,
    JointObjective objective,
    Screening screening,
    Choice choice,
    TuneAnswer answer,
    List<TunedRun> runs,
    String time) {}
