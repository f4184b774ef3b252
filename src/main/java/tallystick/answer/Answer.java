package tallystick.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tallystick.analysis.result.Strength;

/**
 * What a command says: one value for the terminal, the page, Markdown, JSON, JUnit and the exit
 * code. It begins with what ran on what; then words such as VERDICT, TRUST, WHERE with their
 * sentences, the verdict first; tables where things are compared; and what to type next.
 *
 * @param command its name
 * @param subject what ran, on what, for how long
 * @param badges what a page and the list of runs show beside it: what answered
 * @param strength how sure the verdict is; empty where nobody states it
 * @param blocks what a first screen shows, in order
 * @param details the whole account below it, for {@code --verbose}, Markdown and pages
 * @param suite its claims for a pipeline
 * @param figures every figure, for programs
 * @param outcome what it comes to
 */
public record Answer(
    String command,
    List<Mark> subject,
    List<Mark> badges,
    Optional<Strength> strength,
    List<Block> blocks,
    List<Section> details,
    Suite suite,
    Figures figures,
    AnswerStatus outcome) {
  private static final Pattern FIGURE = Pattern.compile("([-+~<>]? ?[(\\d].*|n/a.*|-?)");

  /**
   * Figures as a file of JSON.
   *
   * @param file its name; empty where none is kept
   * @param record written by Jackson
   */
  public record Figures(String file, Object record) {
    public static final Figures NONE = new Figures("", "");
  }

  /**
   * Claims as test cases.
   *
   * @param name of the suite
   * @param startedUtc when the first run began, ISO 8601; empty where nobody knows
   * @param seconds it took; 0 where nobody knows
   */
  public record Suite(String name, String startedUtc, double seconds, List<TestCase> cases) {
    public Suite {
      cases = List.copyOf(cases);
    }
  }

  public Answer {
    subject = List.copyOf(subject);
    badges = List.copyOf(badges);
    blocks = List.copyOf(blocks);
    details = List.copyOf(details);
  }

  /** An answer that begins with what ran, and on what. */
  public static Builder of(String command, String... subject) {
    return new Builder(
        command, Arrays.stream(subject).map(fact -> new Mark(Tone.PLAIN, fact)).toList());
  }

  /** All sentences with the word before each; no word goes on with the one before. */
  public List<Block.Item> sentences() {
    return blocks.stream()
        .filter(Block.Items.class::isInstance)
        .flatMap(block -> ((Block.Items) block).items().stream())
        .toList();
  }

  /** The verdict's word, tone and sentence. */
  public Block.Item verdict() {
    return sentences().getFirst();
  }

  /** What a page and the list of runs show of what ran. */
  public List<Mark> marks() {
    return Stream.concat(subject.stream(), badges.stream()).toList();
  }

  /** Its first screen as a document. */
  public Document screen() {
    return new Document(command, subject, blocks, List.of());
  }

  /** Puts an answer together, in the order in which it is read. */
  public static final class Builder {
    private final String command;
    private final List<Mark> subject;
    private final List<Mark> badges = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();
    private final List<Section> details = new ArrayList<>();
    private final List<TestCase> cases = new ArrayList<>();
    private List<Block.Item> items = new ArrayList<>();
    private Optional<Strength> strength = Optional.empty();
    private String suite = "";
    private String startedUtc = "";
    private double seconds;
    private Figures figures = Figures.NONE;

    private Builder(String command, List<Mark> subject) {
      this.command = command;
      this.subject = new ArrayList<>(subject);
    }

    /** What stands out beside the subject, for example that an engine is simulated. */
    public Builder subject(Mark mark) {
      subject.add(mark);
      return this;
    }

    /** What answered, for a page and the list of runs: a screen says it in a sentence. */
    public Builder badge(Mark mark) {
      badges.add(mark);
      return this;
    }

    /** The verdict in one sentence; it is said first. */
    public Builder verdict(Tone tone, String text) {
      return say(tone, "VERDICT", text);
    }

    /** How sure the verdict is. */
    public Builder strength(Strength sure) {
      strength = Optional.of(sure);
      return this;
    }

    /** Whether the measurement can be trusted. */
    public Builder trust(Tone tone, String text) {
      return say(tone, "TRUST", text);
    }

    /** Where the time went, or which limit broke. */
    public Builder where(String text) {
      return say(Tone.PLAIN, "WHERE", text);
    }

    /** A sentence under a word; an empty word goes on with the one before. */
    public Builder say(Tone tone, String word, String text) {
      return say(tone, word, text, 0);
    }

    /** The same, left out where a screen is too short; the highest rank goes first. */
    public Builder say(Tone tone, String word, String text, int spare) {
      items.add(new Block.Item(new Mark(tone, word), text, spare));
      return this;
    }

    /**
     * Sentences under one word, the last left out first where a screen is too short.
     *
     * @param least so many always stay
     * @param rank of the first that may go; the next ones have higher ranks
     * @param rest said where some are left out
     */
    public Builder say(
        Tone tone, String word, List<String> texts, int least, int rank, Block.Rest rest) {
      end();
      for (int i = 0; i < texts.size(); i++) {
        say(tone, i == 0 ? word : "", texts.get(i), i < least ? 0 : rank + i - least);
      }
      if (!items.isEmpty()) {
        blocks.add(new Block.Items(false, items, rest));
        items = new ArrayList<>();
      }
      return this;
    }

    /** A table; a column of figures is set to the right. */
    public Builder table(List<String> heads, List<List<String>> rows) {
      List<Column> columns =
          IntStream.range(0, heads.size()).mapToObj(i -> column(i, heads.get(i), rows)).toList();
      List<Block.Row> cells =
          rows.stream()
              .map(row -> new Block.Row(Tone.PLAIN, row.stream().map(Cell::of).toList()))
              .toList();
      return block(new Block.Table("", false, columns, cells));
    }

    private static Column column(int place, String head, List<List<String>> rows) {
      // The first names the row, whatever it begins with.
      boolean isFigure =
          place > 0
              && rows.stream().allMatch(row -> FIGURE.matcher(row.get(place)).matches());
      return isFigure ? Column.number(head) : Column.words(head);
    }

    /** Any other block. */
    public Builder block(Block block) {
      end();
      blocks.add(block);
      return this;
    }

    /** What to type next, one line for each. */
    public Builder next(List<String> commands) {
      for (int i = 0; i < commands.size(); i++) {
        say(Tone.PLAIN, i == 0 ? "NEXT" : "", commands.get(i));
      }
      return this;
    }

    /** The same. */
    public Builder next(String... commands) {
      return next(List.of(commands));
    }

    /** A part of the whole account. */
    public Builder detail(Section section) {
      details.add(section);
      return this;
    }

    /** A claim as a test case. */
    public Builder testCase(TestCase one) {
      cases.add(one);
      return this;
    }

    /** What the test cases are called together, and when and how long they ran. */
    public Builder suite(String name, String utc, double took) {
      suite = name;
      startedUtc = utc;
      seconds = took;
      return this;
    }

    /** Every figure, for programs; an empty name keeps no file. */
    public Builder figures(String file, Object record) {
      figures = new Figures(file, record);
      return this;
    }

    private void end() {
      if (!items.isEmpty()) {
        blocks.add(new Block.Items(false, items));
        items = new ArrayList<>();
      }
    }

    /** The answer. */
    public Answer comesTo(AnswerStatus outcome) {
      end();
      return new Answer(
          command, subject, badges, strength, blocks, details,
          new Suite(suite.isEmpty() ? command : suite, startedUtc, seconds, cases), figures,
          outcome);
    }
  }
}
