package tallystick.answer.chart;

import tallystick.answer.Block;

/** The figures of a chart; a page knows how each kind is drawn. */
public sealed interface Chart extends Block.Drawing
    permits ChangeSteps, Effects, FiringBands, GoodputCurve, HeatMap, LevelSeries, Thresholds {}
