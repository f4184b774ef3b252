package tallystick.report.screen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Block;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.markup.AnswerList;
import tallystick.report.markup.Markup;

/** The head of the page: what a reader wants to know in ten seconds, as questions and answers. */
public final class Answers {
  private static final String WELL =
      "Nothing needs fixing. tally capacity finds how much more the server carries.";
  private static final String NO_OBJECTIVE =
      "Set objectives in the scenario: then a run says whether they were met.";
  private static final String CHANGED =
      "See below what changed, and what it most likely means.";
  private static final String SEE = "See the findings and the objectives below.";

  private final RunAnswer screen;
  private final List<Block.Item> said;
  private final RunAnalysis analysis;

  private Answers(RunAnalysis analysis) {
    this.screen = RunAnswer.whole(analysis);
    this.said = screen.answers();
    this.analysis = analysis;
  }

  public static void draw(Markup html, RunAnalysis analysis) {
    new Answers(analysis).draw(html);
  }

  private void draw(Markup html) {
    AnswerList answers = new AnswerList();
    String word = said.getFirst().mark().word();
    boolean isValid = Usability.of(analysis).isForVerdicts();
    answer(answers, isValid ? "Was it met?" : "What does it say?",
        isValid ? led(word) : under(word));
    answer(answers, "Engine or not?", isValid ? where() : List.of(Block.Item.of(
        "An invalid run cannot tell.")));
    answer(answers, "Can I trust it?", under("TRUST"));
    List<Block.Item> next = under("NEXT");
    answer(answers, "What next?", next.isEmpty() ? List.of(Block.Item.of(unasked(isValid))) : next);
    answers.draw(html);
  }

  // Only a run that kept all it was asked for needs nothing.
  private String unasked(boolean isValid) {
    if (!isValid || !Advice.isMet(analysis)) {
      return SEE;
    }
    return analysis.objectives().isEmpty()
        ? NO_OBJECTIVE
        : analysis.interpretation().directions().isEmpty() ? WELL : CHANGED;
  }

  private static void answer(AnswerList answers, String question, List<Block.Item> lines) {
    answers.add(
        question,
        lines.stream()
            .map(line -> new Block.Item(line.mark(), sentence(line.text()), 0))
            .toList());
  }

  static String sentence(String text) {
    String first = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    return first.endsWith(".") || first.endsWith("?") ? first : first + ".";
  }

  // A page asks a question where a screen has the verdict's word: the answer begins with it.
  private List<Block.Item> led(String word) {
    List<Block.Item> lines = under(word);
    Block.Item first = lines.getFirst();
    String text = word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT) + ": " + first.text();
    lines.set(0, new Block.Item(first.mark(), text, 0));
    return lines;
  }

  // The line under the word and those without a word that follow it.
  private List<Block.Item> under(String word) {
    List<Block.Item> found = new ArrayList<>();
    String current = "";
    for (Block.Item item : said) {
      String own = item.mark().word();
      current = own.isEmpty() ? current : own;
      if (current.equals(word)) {
        found.add(item);
      }
    }
    return found;
  }

  private List<Block.Item> where() {
    List<Block.Item> lines = new ArrayList<>();
    if (screen.isStepped()) {
      return under("WHY");
    }
    if (screen.asked().filter(Decomposition::available).isEmpty()) {
      lines.add(Block.Item.of("This run cannot tell."));
    }
    screen.asked()
        .filter(Decomposition::available)
        .flatMap(Answers::largest)
        .ifPresent(text -> lines.add(Block.Item.of(text)));
    lines.addAll(under("WHY"));
    return lines;
  }

  private static Optional<String> largest(Decomposition decomposition) {
    double whole = decomposition.whole().value().orZero();
    return decomposition.parts().stream()
        .max(Comparator.comparingDouble(part -> part.mean().value().orZero()))
        .filter(part -> whole > 0)
        .map(part -> side(part, whole, Wording.name(decomposition.quantity())));
  }

  private static String side(Decomposition.Part part, double whole, String quantity) {
    String share =
        part.name().words() + " is " + Numbers.percent(part.mean().value().orZero() / whole)
            + " of the mean " + quantity;
    boolean isMost = part.mean().value().orZero() > whole / 2;
    return switch (part.name()) {
      case LATENESS, CONNECT, TLS, WRITE, OUTSIDE -> side("outside the engine", isMost, share);
      case PREFILL_POOL -> side("the prefill pool", isMost, share);
      case API_SERVER, QUEUE, PREFILL, DECODE, ANSWER_LENGTH, TOKEN_PACE ->
          side("the engine", isMost, share);
      case WHOLE, OUTSIDE_AND_API_SERVER, AFTER_WRITTEN -> "cannot tell: " + share;
    };
  }

  private static String side(String where, boolean isMost, String share) {
    return isMost
        ? "mostly " + where + ": " + share
        : "no one part is most of it. The largest is of " + where + ": " + share;
  }
}
