package tallystick.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import tallystick.report.screen.Screen;
import tallystick.scenario.Counted;
import tallystick.scrape.Remark;

/**
 * What was found at one target, for a reader.
 *
 * @param heads its URL, and what stands before it or behind it
 * @param asked what to type in the next command; nothing where none is to be told
 */
record DoctorScreen(List<String> heads, List<Remark> remarks, Asked asked) {
  /**
   * The options of the next command.
   *
   * @param byDoctor those with which a doctor finds the same again
   * @param byRun those with which a run reaches what the doctor reached
   */
  record Asked(String byDoctor, String byRun) {
    static final Asked NOTHING = new Asked("", "");
  }

  /** Subject of what the server that gets the load says. */
  static final String SERVER = "server";

  private static final int WIDTH = 100;
  private static final int MOST_LETTERS = 200;
  private static final String EDGES = "bucket edges";
  private static final Set<String> TITLE = Set.of("version", "model", "engine");

  static Remark.Level worst(List<Remark> remarks) {
    return remarks.stream()
        .map(Remark::level)
        .max(Comparator.naturalOrder())
        .orElse(Remark.Level.GOOD);
  }

  /** One screen: the remarks that are not good, the gravest first. */
  Screen screen(int room) {
    Screen screen =
        new Screen(
            "doctor",
            Stream.concat(
                    heads.stream(),
                    remarks.stream()
                        .filter(remark -> remark.level() == Remark.Level.GOOD)
                        .filter(remark -> TITLE.contains(remark.subject()))
                        .map(remark -> remark.subject() + " " + remark.text()))
                .toArray(String[]::new));
    List<Remark> told =
        remarks.stream()
            .filter(remark -> remark.level() != Remark.Level.GOOD)
            .sorted(Comparator.comparing(Remark::level).reversed())
            .toList();
    ready(screen, told);
    told.stream().limit(room).forEach(remark -> tell(screen, remark));
    // Who asked about an objective wants the answer, good or not.
    remarks.stream()
        .filter(remark -> remark.level() == Remark.Level.GOOD)
        .filter(remark -> remark.subject().equals(EDGES))
        .forEach(remark -> tell(screen, remark));
    if (told.size() > room) {
      screen.plain("", "and " + (told.size() - room) + " more");
    }
    return asked.equals(Asked.NOTHING) ? screen : next(screen);
  }

  private void ready(Screen screen, List<Remark> told) {
    String count = Counted.of(told.size(), "remark", "remarks");
    boolean isShut =
        told.stream()
            .filter(remark -> remark.level() == Remark.Level.FAILED)
            .anyMatch(remark -> remark.subject().equals(SERVER));
    switch (worst(remarks)) {
      case GOOD -> screen.good("READY", "yes");
      case NOTE, WARNING -> screen.good("READY", "yes, with " + count);
      case UNTRUSTED -> screen.bad("READY", "no: a run could not be trusted");
      case FAILED ->
          screen.bad(
              "READY",
              isShut
                  ? "no: a run would not begin"
                  : "no: the engine's half cannot be recorded");
    }
  }

  private Screen next(Screen screen) {
    String again = "./tally doctor " + asked.byDoctor() + " --verbose  # all that was seen";
    return worst(remarks).compareTo(Remark.Level.WARNING) > 0
        ? screen.next(again)
        : screen.next("./tally run scenarios/steady-chat.yaml " + asked.byRun(), again);
  }

  private static void tell(Screen screen, Remark remark) {
    String whole = remark.subject() + ": " + remark.text();
    // What stops a run is told to its end, where the way out stands.
    boolean isWhole = whole.length() <= MOST_LETTERS || remark.level() == Remark.Level.FAILED;
    String text =
        isWhole ? whole : whole.substring(0, whole.lastIndexOf(' ', MOST_LETTERS)) + " ...";
    switch (remark.level()) {
      case GOOD -> screen.good("good", text);
      case NOTE -> screen.plain("note", text);
      case WARNING -> screen.caution("WARNING", text);
      case UNTRUSTED, FAILED -> screen.bad("!", text);
    }
  }

  /** All remarks within the width of the page, their texts indented. */
  List<String> lines() {
    return remarks.stream().flatMap(remark -> lines(remark).stream()).toList();
  }

  private static List<String> lines(Remark remark) {
    String level = remark.level().name().toLowerCase(Locale.ROOT);
    String head = String.format(Locale.ROOT, "%-9s  %-13s  ", level, remark.subject());
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(head);
    for (String word : remark.text().split(" ")) {
      if (line.length() + word.length() > WIDTH && line.length() > head.length()) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(" ".repeat(head.length()));
      }
      line.append(word).append(' ');
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }
}
