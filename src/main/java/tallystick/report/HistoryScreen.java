package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Document;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Wording;
import tallystick.experiment.regress.Regression;
import tallystick.history.History;
import tallystick.report.screen.Screen;
import tallystick.report.writing.ConsoleWriter;
import tallystick.report.writing.HtmlPage;
import tallystick.runrecord.Manifest;
import tallystick.scenario.Counted;
import tallystick.scenario.PlainText;

/** Runs over time: where a metric changed its level, and which runs are of one series. */
public final class HistoryScreen {
  private static final int MOST_ROWS = 40;

  private final History history;
  private final String folder;

  private HistoryScreen(History history, String folder) {
    this.history = history;
    this.folder = folder;
  }

  /**
   * The screen.
   *
   * @param folder as the user named it
   * @param room how many rows and changes to show
   */
  public static Screen of(History history, String folder, int room) {
    return new HistoryScreen(history, folder).screen(room);
  }

  /** Every run of every series, and every run that is in none. */
  public static String whole(History history, String folder, boolean colour) {
    return ConsoleWriter.text(
        new HistoryScreen(history, folder).document(), Reports.WIDTH, colour);
  }

  /** The screen as a page, with a picture for each metric of each series. */
  public static String page(History history, String folder) {
    HistoryScreen screen = new HistoryScreen(history, folder);
    return HtmlPage.of(
        screen.screen(MOST_ROWS).page(screen.document().sections()),
        "Tallystick. One run is one observation.");
  }

  private Screen screen(int room) {
    Screen screen = new Screen("history", folder, counted(runs()), metrics());
    verdict(screen, Math.max(1, room));
    trust(screen);
    cautions().forEach(caution -> screen.caution("", caution));
    List<List<String>> rows = rows();
    screen.table(
        List.of("series", "runs", "metric", "first", "now", "changes", "could see"),
        rows.subList(0, Math.min(rows.size(), Math.max(1, room))));
    if (room < rows.size()) {
      screen.plain("", (rows.size() - Math.max(1, room)) + " more rows with --verbose");
    }
    history.series().stream().skip(1).limit(Math.max(1, room / 4)).forEach(
        series ->
            screen.plain(
                series.number() == 2 ? "DIFFERS" : "",
                "series " + series.number() + " from 1 in " + keys(series.unlike())));
    return screen.next(
        "./tally compare OLD… -- NEW…  # a verdict on a change",
        "./tally history " + PlainText.argument(folder) + " --verbose  # every run");
  }

  private int runs() {
    return history.series().stream().mapToInt(series -> series.runs().size()).sum();
  }

  private static String counted(int runs) {
    return Counted.of(runs, "run", "runs");
  }

  private String metrics() {
    return history.series().stream()
        .limit(1)
        .flatMap(series -> series.tracks().stream())
        .map(track -> track.metric().words())
        .collect(Collectors.joining(", "));
  }

  private void verdict(Screen screen, int room) {
    List<String> worse = new ArrayList<>();
    List<String> better = new ArrayList<>();
    history.series().forEach(
        series ->
            series.tracks().forEach(
                track ->
                    track.changes().forEach(
                        change ->
                            (change.worse() > 0 ? worse : better)
                                .add(HistoryWords.sentence(series, track.metric(), change)))));
    List<String> all = new ArrayList<>(worse);
    all.addAll(better);
    int sure = all.size();
    all.addAll(unclear());
    if (all.isEmpty()) {
      screen.plain("VERDICT", isTold() ? "no change of level found" : "none: " + tooFew());
      return;
    }
    for (int i = 0; i < Math.min(room, all.size()); i++) {
      String head = i == 0 ? "VERDICT" : "";
      if (i < worse.size()) {
        screen.bad(head, all.get(i));
      } else if (i < sure) {
        screen.good(head, all.get(i));
      } else {
        screen.caution(head, all.get(i));
      }
    }
    if (room < all.size()) {
      screen.plain("", "and " + (all.size() - room) + " more changes");
    }
  }

  private List<String> unclear() {
    List<String> all = new ArrayList<>();
    history.series().forEach(
        series ->
            series.tracks().forEach(
                track ->
                    track.unclear().forEach(
                        change ->
                            all.add(HistoryWords.unclear(series, track.metric(), change)))));
    return all;
  }

  private boolean isTold() {
    return history.series().stream()
        .flatMap(series -> series.tracks().stream())
        .anyMatch(History.Track::isTold);
  }

  private String tooFew() {
    return history.series().stream()
        .limit(1)
        .map(
            series ->
                "the longest series has " + counted(series.runs().size()) + ", a change shows from "
                    + series.tracks().getFirst().needed() + " on")
        .findFirst()
        .orElse("no run below " + folder + " can be used");
  }

  private void trust(Screen screen) {
    Map<String, Integer> reasons = new TreeMap<>();
    history.leftOut().forEach(one -> reasons.merge(one.why(), 1, Integer::sum));
    String left =
        reasons.entrySet().stream()
            .map(reason -> reason.getValue() + " " + reason.getKey())
            .collect(Collectors.joining(", "));
    screen.plain(
        "TRUST",
        "a series without a change shows one in at most "
            + RegressionWords.plain(history.level()) + " of cases; "
            + (left.isEmpty() ? "no run left out" : "left out: " + left));
  }

  private List<String> cautions() {
    return history.series().stream()
        .map(series -> series.engineKind().toUpperCase(Locale.ROOT))
        .distinct()
        .map(kind -> Wording.engineCaution(Manifest.Source.valueOf(kind)))
        .filter(caution -> !caution.isEmpty())
        .toList();
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (History.Series series : history.series()) {
      for (History.Track track : series.tracks()) {
        rows.add(
            List.of(
                series.number() + " " + series.scenario(),
                String.valueOf(series.runs().size()),
                track.metric().words(),
                RegressionWords.figure(track.metric(), level(track, true)),
                RegressionWords.figure(track.metric(), level(track, false)),
                changes(track),
                track.isTold() ? RegressionWords.plain(track.couldSee()) : "-"));
      }
    }
    return rows;
  }

  private static String changes(History.Track track) {
    if (!track.isTold()) {
      return tooFew(track);
    }
    String unclear = track.unclear().isEmpty() ? "" : ", " + track.unclear().size() + " unclear";
    return track.changes().size() + unclear;
  }

  /** How many there are, the column of runs says: a longer cell would lose its end. */
  private static String tooFew(History.Track track) {
    return "n/a (need " + track.needed() + ")";
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

  private static String keys(List<Regression.Unlike> unlike) {
    return unlike.stream().map(Regression.Unlike::key).collect(Collectors.joining(", "));
  }

  private Document document() {
    List<Section> sections = new ArrayList<>();
    history.series().forEach(series -> sections.add(section(series)));
    if (!history.leftOut().isEmpty()) {
      sections.add(leftOut());
    }
    return new Document("Runs below " + folder, List.of(), List.of(), sections);
  }

  private Section leftOut() {
    List<Column> columns = List.of(Column.name("run"), Column.words("why"), Column.words(""));
    return Section.of(
        "left-out", "Runs left out",
        new Block.Table(
            "", false, columns,
            history.leftOut().stream()
                .map(one -> row(List.of(one.folder(), one.why(), one.text())))
                .toList()));
  }

  private static Block.Row row(List<String> words) {
    return Block.Row.of(words.stream().map(Cell::of).toArray(Cell[]::new));
  }

  private static Section section(History.Series series) {
    List<Column> columns = new ArrayList<>();
    columns.addAll(List.of(Column.name("run"), Column.words("began"), Column.words("engine")));
    series.tracks().forEach(track -> columns.add(Column.number(track.metric().words())));
    columns.add(Column.words("change"));
    List<Block> blocks = new ArrayList<>();
    series.unlike().forEach(
        one -> blocks.add(new Block.Text(Tone.PLAIN, one.key() + ": " + one.text())));
    blocks.addAll(new HistoryPicture(series).pictures());
    List<Block.Row> rows = new ArrayList<>();
    for (int i = 0; i < series.runs().size(); i++) {
      rows.add(row(series, i));
    }
    blocks.add(new Block.Table("", false, columns, rows));
    return Section.of(
        "series-" + series.number(), "Series " + series.number() + ": " + series.scenario(),
        blocks.toArray(Block[]::new));
  }

  private static Block.Row row(History.Series series, int place) {
    History.Run run = series.runs().get(place);
    List<String> cells = new ArrayList<>(List.of(run.folder(), run.began(), run.version()));
    List<String> changes = new ArrayList<>();
    for (History.Track track : series.tracks()) {
      cells.add(RegressionWords.figure(track.metric(), track.values().get(place)));
      track.changes().stream()
          .filter(change -> change.at() == place)
          .forEach(
              change ->
                  changes.add(
                      track.metric().words() + " " + RegressionWords.signed(change.worse())));
    }
    cells.add(String.join(", ", changes));
    return row(cells);
  }
}
