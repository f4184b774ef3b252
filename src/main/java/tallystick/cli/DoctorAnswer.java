package tallystick.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.scenario.Counted;
import tallystick.scrape.Remark;

/**
 * What was found at one target, for a reader.
 *
 * @param heads its URL, and what stands before it or behind it
 * @param asked what to type in the next command; nothing where none is to be told
 */
record DoctorAnswer(List<String> heads, List<Remark> remarks, Asked asked) {
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

  private static final int MOST_LETTERS = 200;
  private static final String EDGES = "bucket edges";
  private static final Set<String> TITLE = Set.of("version", "model", "engine");

  static Remark.Level worst(List<Remark> remarks) {
    return remarks.stream()
        .map(Remark::level)
        .max(Comparator.naturalOrder())
        .orElse(Remark.Level.GOOD);
  }

  /** The remarks that are not good, the gravest first; below them all that was seen. */
  Answer answer() {
    Answer.Builder answer =
        Answer.of(
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
    ready(answer, told);
    List<Block.Item> items = new ArrayList<>();
    for (Remark remark : told) {
      items.add(item(remark, items.size() + 1));
    }
    if (!items.isEmpty()) {
      answer.block(new Block.Items(false, items, Block.Rest.of("and %d more")));
    }
    // Who asked about an objective wants the answer, good or not.
    List<Block.Item> edges =
        remarks.stream()
            .filter(remark -> remark.level() == Remark.Level.GOOD)
            .filter(remark -> remark.subject().equals(EDGES))
            .map(remark -> item(remark, 0))
            .toList();
    if (!edges.isEmpty()) {
      answer.block(new Block.Items(false, edges));
    }
    if (!asked.equals(Asked.NOTHING)) {
      answer.next(next());
    }
    return answer
        .detail(Section.of("remarks", "All that was seen", all()))
        .comesTo(outcome(remarks));
  }

  /** What remarks come to, of one target or of several. */
  static AnswerStatus outcome(List<Remark> remarks) {
    return switch (worst(remarks)) {
      case GOOD, NOTE, WARNING -> AnswerStatus.GOOD;
      case UNTRUSTED -> AnswerStatus.NOT_TRUSTED;
      case FAILED -> AnswerStatus.WORLD_FAILED;
    };
  }

  private void ready(Answer.Builder answer, List<Remark> told) {
    String count = Counted.of(told.size(), "remark", "remarks");
    boolean isShut =
        told.stream()
            .filter(remark -> remark.level() == Remark.Level.FAILED)
            .anyMatch(remark -> remark.subject().equals(SERVER));
    switch (worst(remarks)) {
      case GOOD -> answer.say(Tone.GOOD, "READY", "yes");
      case NOTE, WARNING -> answer.say(Tone.GOOD, "READY", "yes, with " + count);
      case UNTRUSTED -> answer.say(Tone.BAD, "READY", "no: a run could not be trusted");
      case FAILED ->
          answer.say(
              Tone.BAD, "READY",
              isShut
                  ? "no: a run would not begin"
                  : "no: the engine's half cannot be recorded");
    }
  }

  private List<String> next() {
    String again = "./tally doctor " + asked.byDoctor() + " --verbose  # all that was seen";
    return worst(remarks).compareTo(Remark.Level.WARNING) > 0
        ? List.of(again)
        : List.of("./tally run scenarios/steady-chat.yaml " + asked.byRun(), again);
  }

  private static Block.Item item(Remark remark, int spare) {
    String whole = remark.subject() + ": " + remark.text();
    // What stops a run is told to its end, where the way out stands.
    boolean isWhole = whole.length() <= MOST_LETTERS || remark.level() == Remark.Level.FAILED;
    String text =
        isWhole ? whole : whole.substring(0, whole.lastIndexOf(' ', MOST_LETTERS)) + " ...";
    return new Block.Item(mark(remark.level()), text, "", List.of(), spare);
  }

  private static Mark mark(Remark.Level level) {
    return switch (level) {
      case GOOD -> new Mark(Tone.GOOD, "good");
      case NOTE -> new Mark(Tone.PLAIN, "note");
      case WARNING -> new Mark(Tone.CAUTION, "WARNING");
      case UNTRUSTED, FAILED -> new Mark(Tone.BAD, "!");
    };
  }

  private Block all() {
    return new Block.Items(
        false,
        remarks.stream()
            .map(
                remark ->
                    new Block.Item(
                        new Mark(
                            mark(remark.level()).tone(),
                            remark.level().name().toLowerCase(Locale.ROOT)),
                        remark.subject(), remark.text(), List.of()))
            .toList());
  }
}
