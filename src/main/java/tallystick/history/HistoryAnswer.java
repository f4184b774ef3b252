package tallystick.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.Plot;
import tallystick.answer.words.PercentText;
import tallystick.answer.words.Wording;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.Regression;
import tallystick.runrecord.Manifest;
import tallystick.scenario.Counted;

/** Runs over time: where a metric changed its level, and which runs are of one series. */
public record HistoryAnswer(History history) implements Decision {
  /** Two runs make the shortest line. */
  private static final int FEWEST_DRAWN = 2;

  /** Versions and settings named in one sentence; a page's table of runs has all. */
  private static final int MOST_DIFFERENCES = 3;

  /** Whole series give way sooner than rows: the account below tells them apart, too. */
  private static final int ROWS_FOR_A_SERIES = 4;

  /** One change of one metric, or a place where nobody can tell. */
  private record Told(Tone tone, String sentence) {}

  /** What it says of the folder that the command names. */
  @Override
  public Answer answer(Invocation asked) {
    Answer.Builder answer =
        Answer.of("history", asked.folder(), Counted.of(runs(), "run", "runs"), metrics());
    answer.block(verdict(asked));
    answer.trust(Tone.PLAIN, trust());
    cautions().forEach(caution -> answer.say(Tone.CAUTION, "", caution));
    answer.block(table());
    List<History.Series> all = history.series();
    for (int i = 1; i < all.size(); i++) {
      answer.say(
          Tone.PLAIN, i == 1 ? "DIFFERS" : "",
          "series " + all.get(i).number() + " from 1 in "
              + all.get(i).unlike().stream()
                  .map(Regression.Unlike::key)
                  .collect(Collectors.joining(", ")),
          i == 1 ? 0 : ROWS_FOR_A_SERIES * i - 1);
    }
    answer.next(
        "./tally compare OLD… -- NEW…  # a verdict on a change",
        "./tally history " + asked.in("") + " --verbose  # every run");
    all.forEach(series -> answer.detail(section(series)));
    return answer
        .detail(leftOut())
        .comesTo(all.isEmpty() ? AnswerStatus.NOT_TRUSTED : AnswerStatus.GOOD);
  }

  private int runs() {
    return history.series().stream().mapToInt(series -> series.runs().size()).sum();
  }

  private String metrics() {
    return history.series().stream()
        .limit(1)
        .flatMap(series -> series.tracks().stream())
        .map(track -> track.metric().words())
        .collect(Collectors.joining(", "));
  }

  /** What became worse first, then what became better, then what nobody can tell. */
  private Block verdict(Invocation asked) {
    List<Told> all =
        Stream.of(Tone.BAD, Tone.GOOD, Tone.CAUTION)
            .flatMap(
                tone ->
                    history.series().stream()
                        .flatMap(
                            series ->
                                series.tracks().stream()
                                    .flatMap(track -> told(series, track).stream()))
                        .filter(told -> told.tone() == tone))
            .toList();
    if (all.isEmpty()) {
      String none = isTold() ? "no change of level found" : tooFew(asked);
      all = List.of(new Told(Tone.PLAIN, none));
    }
    List<Block.Item> items = new ArrayList<>();
    for (Told told : all) {
      String word = items.isEmpty() ? "VERDICT" : " ".repeat("VERDICT".length());
      items.add(
          new Block.Item(
              new Mark(told.tone(), word), told.sentence(), "", List.of(), items.size()));
    }
    return new Block.Items(false, items, Block.Rest.of("and %d more changes"));
  }

  private static List<Told> told(History.Series series, History.Track track) {
    List<Told> all = new ArrayList<>();
    track.changes().forEach(
        change ->
            all.add(
                new Told(
                    change.worse() > 0 ? Tone.BAD : Tone.GOOD,
                    sentence(series, track.metric(), change))));
    track.unclear().forEach(
        change -> all.add(new Told(Tone.CAUTION, unclear(series, track.metric(), change))));
    return all;
  }

  /** A change in words, with the versions and settings that changed there. */
  private static String sentence(
      History.Series series, ComparedMetric metric, History.Change change) {
    String differences =
        change.differences().stream()
            .limit(MOST_DIFFERENCES)
            .map(one -> one.name() + " " + one.base() + " -> " + one.candidate())
            .collect(Collectors.joining("; "));
    return began(series, metric, change) + " on, " + metric.text(change.before()) + " -> "
        + metric.text(change.after()) + " (chance " + chance(change) + "); "
        + (differences.isEmpty() ? "no version or setting changed there" : differences);
  }

  private static String unclear(
      History.Series series, ComparedMetric metric, History.Change change) {
    return "cannot tell: " + began(series, metric, change)
        + " on, " + metric.text(change.before()) + " -> " + metric.text(change.after())
        + "; without any change, " + chance(change) + " of series like this one show as much";
  }

  private static String began(
      History.Series series, ComparedMetric metric, History.Change change) {
    return "series " + series.number() + ": " + metric.words()
        + (change.worse() > 0 ? " worse" : " better") + " by "
        + PercentText.plain(Math.abs(change.worse())) + " from "
        + series.runs().get(change.at()).began();
  }

  private static String chance(History.Change change) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * change.pValue());
  }

  private boolean isTold() {
    return history.series().stream()
        .flatMap(series -> series.tracks().stream())
        .anyMatch(History.Track::isTold);
  }

  private String tooFew(Invocation asked) {
    if (history.series().isEmpty()) {
      return "no run below " + asked.folder() + " can be used";
    }
    History.Series longest = history.series().getFirst();
    return "a change shows from " + longest.tracks().getFirst().needed()
        + " comparable runs on; the longest series has " + longest.runs().size();
  }

  private String trust() {
    Map<String, Integer> reasons = new TreeMap<>();
    history.leftOut().forEach(one -> reasons.merge(one.why(), 1, Integer::sum));
    String left =
        reasons.entrySet().stream()
            .map(reason -> reason.getValue() + " " + reason.getKey())
            .collect(Collectors.joining(", "));
    return "false-alarm rate at most " + PercentText.plain(history.level())
        + "; "
        + (left.isEmpty() ? "no run left out" : "left out: " + left);
  }

  private List<String> cautions() {
    return history.series().stream()
        .map(series -> series.engineKind().toUpperCase(Locale.ROOT))
        .distinct()
        .map(kind -> Wording.engineCaution(Manifest.Source.valueOf(kind)))
        .filter(caution -> !caution.isEmpty())
        .toList();
  }

  private Block.Table table() {
    List<Block.Row> rows = new ArrayList<>();
    for (History.Series series : history.series()) {
      for (History.Track track : series.tracks()) {
        rows.add(row(series, track).spare(rows.size()));
      }
    }
    return new Block.Table(
        "", false,
        List.of(
            Column.words("series"), Column.number("runs"), Column.words("metric"),
            Column.number("first"), Column.number("now"), Column.number("changes"),
            Column.number("detectable")),
        rows, Block.Rest.of("%d more rows with --verbose"));
  }

  private static Block.Row row(History.Series series, History.Track track) {
    return Block.Row.words(
        series.number() + " " + series.scenario(), String.valueOf(series.runs().size()),
        track.metric().words(), track.metric().text(level(track, true)),
        track.metric().text(level(track, false)), changes(track),
        track.isTold() ? PercentText.plain(track.couldSee()) : "-");
  }

  /** How many runs there are, their column says: a longer cell would lose its end. */
  private static String changes(History.Track track) {
    if (!track.isTold()) {
      return "n/a (need " + track.needed() + ")";
    }
    String unclear = track.unclear().isEmpty() ? "" : ", " + track.unclear().size() + " unclear";
    return track.changes().size() + unclear;
  }

  /** The level before the first change or since the last one; without changes the end runs. */
  private static double level(History.Track track, boolean isFirst) {
    if (track.changes().isEmpty()) {
      return isFirst ? track.values().getFirst() : track.values().getLast();
    }
    return isFirst
        ? track.changes().getFirst().before()
        : track.changes().getLast().after();
  }

  private Section leftOut() {
    List<Column> columns = List.of(Column.name("run"), Column.words("why"), Column.words(""));
    List<Block.Row> rows =
        history.leftOut().stream()
            .map(one -> Block.Row.words(one.folder(), one.why(), one.text()))
            .toList();
    return Section.of(
        "left-out", "Runs left out",
        rows.isEmpty() ? List.of() : List.of(new Block.Table("", false, columns, rows)));
  }

  private static Section section(History.Series series) {
    List<Column> columns = new ArrayList<>();
    columns.addAll(List.of(Column.name("run"), Column.words("began"), Column.words("engine")));
    series.tracks().forEach(track -> columns.add(Column.number(track.metric().words())));
    columns.add(Column.words("change"));
    List<Block> blocks = new ArrayList<>();
    series.unlike().forEach(
        one -> blocks.add(new Block.Text(Tone.PLAIN, one.key() + ": " + one.text())));
    if (series.runs().size() >= FEWEST_DRAWN) {
      blocks.add(
          Chart.besides(series.tracks().stream().map(track -> chart(series, track)).toList()));
    }
    blocks.add(
        new Block.Table(
            "", false, columns,
            IntStream.range(0, series.runs().size()).mapToObj(i -> row(series, i)).toList()));
    return Section.of(
        "series-" + series.number(), "Series " + series.number() + ": " + series.scenario(),
        blocks);
  }

  private static Block.Row row(History.Series series, int place) {
    History.Run run = series.runs().get(place);
    List<String> cells = new ArrayList<>(List.of(run.folder(), run.began(), run.version()));
    List<String> changes = new ArrayList<>();
    for (History.Track track : series.tracks()) {
      cells.add(track.metric().text(track.values().get(place)));
      track.changes().stream()
          .filter(change -> change.at() == place)
          .forEach(
              change ->
                  changes.add(
                      track.metric().words() + " " + PercentText.signed(change.worse())));
    }
    cells.add(String.join(", ", changes));
    return Block.Row.words(cells.toArray(String[]::new));
  }

  private static Plot chart(History.Series series, History.Track track) {
    List<Plot.Point> runs = new ArrayList<>();
    List<Plot.Guide> guides = new ArrayList<>();
    for (int i = 0; i < series.runs().size(); i++) {
      History.Run run = series.runs().get(i);
      double value = track.values().get(i);
      String release = run.version().isEmpty() ? "" : ", " + run.version();
      runs.add(
          new Plot.Point(
              i, value, "",
              run.folder() + ", " + run.began() + release + ": " + track.metric().text(value)));
      if (!release(series, i).isEmpty()) {
        guides.add(Plot.Guide.at(true, i, Tone.MUTED, ""));
      }
    }
    for (History.Change change : track.changes()) {
      guides.add(
          Plot.Guide.at(
              true, change.at() - 0.5, change.worse() > 0 ? Tone.BAD : Tone.GOOD, size(change)));
    }
    Plot.Series level =
        new Plot.Series(
            "level", Tone.ENGINE, Plot.Shape.NONE, Plot.Line.SOLID, levels(track));
    Plot.Series each =
        new Plot.Series("run", Tone.CLIENT, Plot.Shape.DISC, Plot.Line.NONE, runs);
    return new Plot(
        track.metric().words(), words(series, track),
        new Plot.Axis(
            series.runs().size() + " runs, in order of time", Plot.Reach.PLACES,
            run -> release(series, (int) run)),
        new Plot.Axis("", Plot.Reach.WITHIN, track.metric()::text), List.of(level, each), guides);
  }

  /** The release that a run is the first of; empty where it is not, or does not say. */
  private static String release(History.Series series, int run) {
    String release = series.runs().get(run).version();
    boolean isNew = run == 0 || !release.equals(series.runs().get(run - 1).version());
    return isNew ? release : "";
  }

  private static String size(History.Change change) {
    return PercentText.plain(Math.abs(change.worse()))
        + (change.worse() > 0 ? " worse" : " better");
  }

  /** From change to change; none where nothing changed. */
  private static List<Plot.Point> levels(History.Track track) {
    List<Plot.Point> levels = new ArrayList<>();
    double from = -0.5;
    for (History.Change change : track.changes()) {
      levels.add(Plot.Point.of(from, change.before()));
      from = change.at() - 0.5;
      levels.add(Plot.Point.of(from, change.before()));
      levels.add(Plot.Point.of(Double.NaN, Double.NaN));
    }
    if (!track.changes().isEmpty()) {
      double last = track.changes().getLast().after();
      levels.add(Plot.Point.of(from, last));
      levels.add(Plot.Point.of(track.values().size() - 0.5, last));
    }
    return levels;
  }

  private static String words(History.Series series, History.Track track) {
    if (!track.isTold()) {
      return "Changes n/a (n=" + track.values().size() + ", need " + track.needed() + ").";
    }
    List<Told> told = told(series, track);
    String found =
        told.isEmpty()
            ? "No change of level found; a change of " + PercentText.plain(track.couldSee())
                + " would be found in about 4 of 5 cases"
            : told.stream().map(Told::sentence).collect(Collectors.joining(". "));
    return found + ".";
  }
}
