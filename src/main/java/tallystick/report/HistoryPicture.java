package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Tone;
import tallystick.answer.chart.LevelSeries;
import tallystick.history.History;

/** The metrics of one series over its runs, with the places where their level changed. */
record HistoryPicture(History.Series series) {
  private static final int FEWEST = 2;

  /** One picture for each metric; none of a series of one run. */
  List<Block> pictures() {
    return series.runs().size() < FEWEST
        ? List.of()
        : series.tracks().stream()
            .map(
                track ->
                    (Block)
                        new Block.Picture(chart(track), List.of()))
            .toList();
  }

  private LevelSeries chart(History.Track track) {
    List<LevelSeries.Run> runs = new ArrayList<>();
    for (int i = 0; i < series.runs().size(); i++) {
      History.Run run = series.runs().get(i);
      String release = run.version().isEmpty() ? "" : ", " + run.version();
      runs.add(
          new LevelSeries.Run(
              track.values().get(i), run.version(),
              run.folder() + ", " + run.began() + release + ": "
                  + RegressionWords.figure(track.metric(), track.values().get(i))));
    }
    List<LevelSeries.Change> changes =
        track.changes().stream()
            .map(
                change ->
                    new LevelSeries.Change(
                        change.at(), change.worse() > 0 ? Tone.BAD : Tone.GOOD,
                        size(change),
                        HistoryWords.sentence(series, track.metric(), change)))
            .toList();
    return new LevelSeries(
        track.metric().words(), words(track), runs, levels(track), changes,
        value -> RegressionWords.figure(track.metric(), value));
  }

  private static String size(History.Change change) {
    return RegressionWords.plain(Math.abs(change.worse()))
        + (change.worse() > 0 ? " worse" : " better");
  }

  private static List<LevelSeries.Level> levels(History.Track track) {
    List<LevelSeries.Level> levels = new ArrayList<>();
    List<History.Change> changes = track.changes();
    for (int i = 0; i < changes.size(); i++) {
      int from = i == 0 ? 0 : changes.get(i - 1).at();
      levels.add(new LevelSeries.Level(from, changes.get(i).at(), changes.get(i).before()));
    }
    if (!changes.isEmpty()) {
      History.Change last = changes.getLast();
      levels.add(new LevelSeries.Level(last.at(), track.values().size(), last.after()));
    }
    return levels;
  }

  private String words(History.Track track) {
    if (!track.isTold()) {
      return "Changes n/a (n=" + track.values().size() + ", need " + track.needed() + ").";
    }
    List<String> sentences = new ArrayList<>();
    track.changes().forEach(
        change -> sentences.add(HistoryWords.sentence(series, track.metric(), change)));
    track.unclear().forEach(
        change -> sentences.add(HistoryWords.unclear(series, track.metric(), change)));
    if (sentences.isEmpty()) {
      sentences.add(
          "No change of level found; one of " + RegressionWords.plain(track.couldSee())
              + " would show in about four of five tries");
    }
    return String.join(". ", sentences) + ".";
  }
}
