package tallystick.answer.chart;

import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Drawing;
import tallystick.answer.Mark;

/** The figures of a chart; a page knows how each kind is drawn. */
public sealed interface Chart extends Drawing
    permits ChangeSteps, Effects, FiringBands, HeatMap, Plot, RunLanes, Strip {

  /** Charts beside each other where there is room. */
  static Block besides(List<? extends Chart> charts) {
    return new Block.Groups(
        charts.stream()
            .map(
                chart ->
                    new Block.Group(
                        "", Mark.NONE, List.of(new Block.Picture(chart, List.of()))))
            .toList());
  }
}
