package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Formatted;

/** Prompt tokens asked for beside those the server counted, of good requests; in one pass. */
public final class PromptLengths {
  private long planned;
  private long told;
  private long askedTokens;
  private long countedTokens;
  private long least = Long.MAX_VALUE;
  private long most = Long.MIN_VALUE;

  /** Takes a measured request. */
  void read(RequestRow row) {
    if (row.promptTokens() < 0 || row.ending().outcome() != Outcome.OK) {
      return;
    }
    planned++;
    if (row.usage().promptTokens() >= 0) {
      long difference = row.usage().promptTokens() - row.promptTokens();
      told++;
      askedTokens += row.promptTokens();
      countedTokens += row.usage().promptTokens();
      least = Math.min(least, difference);
      most = Math.max(most, difference);
    }
  }

  /**
   * What a reader must know of the lengths; nothing where they are exactly those asked for.
   *
   * @param hasConversations whether later turns carry a history, so that nothing can be compared
   */
  public List<Finding> findings(PromptForm form, boolean hasConversations) {
    boolean isExact = planned == told && least == 0 && most == 0;
    if (planned == 0 || isExact) {
      return List.of();
    }
    List<String> evidence = new ArrayList<>();
    if (hasConversations) {
      evidence.add("turns include their history, so lengths are not compared");
    } else if (told > 0) {
      evidence.add(Formatted.of(
          "asked for %.1f tokens on average, usage says %.1f; by request %+d to %+d",
          (double) askedTokens / told, (double) countedTokens / told, least, most));
    }
    if (told < planned) {
      evidence.add(
          (planned - told) + " of " + planned + " good requests without usage: length unknown");
    }
    return List.of(new Finding(Code.PROMPT_LENGTHS,
        "Prompt lengths are not exact: " + words(form) + ".", evidence, ""));
  }

  private static String words(PromptForm form) {
    return switch (form) {
      case TOKEN_IDS -> "prompts are token ids, but the server counts otherwise or not at all";
      case FITTED_TEXT -> "prompts are text fitted with the server's /tokenize";
      case TEXT -> "prompts are text of one word for each token, because no server told its own";
      case GIVEN_TEXT, UNKNOWN -> "what was asked for and what was counted differ";
    };
  }
}
