package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tallystick.plan.Prompt;
import tallystick.plan.SharedPrefix;

class PromptWriterTest {
  private static final List<String> WORDS = List.of("ba", "be", "bi", "bo");
  private static final List<String> WORDS_ENOUGH = ServerProbe.madeUpWords();
  private static final PromptWriter WRITER = new PromptWriter("n1", WORDS, PromptFit.UNKNOWN);
  private static final int BLOCK = 16;

  @Test
  void noTwoRequestsOfARunShareTheirFirstBlock() {
    Set<List<Integer>> blocks = new HashSet<>();
    for (int index = 0; index < 5_000; index++) {
      blocks.add(firstBlock(WRITER.tokenIds(Prompt.Synthetic.unique(64), index)));
    }
    assertThat(blocks).hasSize(5_000);
  }

  @Test
  void twoRunsOfOnePlanShareNoBlockUnlessTheNonceIsLeftOut() {
    PromptWriter other = new PromptWriter("n2", WORDS, PromptFit.UNKNOWN);
    PromptWriter same = new PromptWriter("", WORDS, PromptFit.UNKNOWN);
    Prompt.Synthetic prompt = Prompt.Synthetic.unique(64);

    assertThat(firstBlock(WRITER.tokenIds(prompt, 7)))
        .isNotEqualTo(firstBlock(other.tokenIds(prompt, 7)));
    assertThat(same.tokenIds(prompt, 7))
        .isEqualTo(new PromptWriter("", WORDS, PromptFit.UNKNOWN).tokenIds(prompt, 7));
  }

  @Test
  void sharedPrefixesAreEqualAndTheRestIsNot() {
    Prompt.Synthetic prompt = new Prompt.Synthetic(64, List.of(new SharedPrefix(3, 32)));

    int[] first = WRITER.tokenIds(prompt, 1);
    int[] second = WRITER.tokenIds(prompt, 2);

    assertThat(Arrays.copyOf(first, 32)).isEqualTo(Arrays.copyOf(second, 32));
    assertThat(Arrays.copyOfRange(first, 32, 48))
        .isNotEqualTo(Arrays.copyOfRange(second, 32, 48));
  }

  @Test
  void promptsHaveTheirExactLength() {
    for (int tokens : new int[] {1, 2, 5, 6, 7, 1000}) {
      Prompt.Synthetic prompt = Prompt.Synthetic.unique(tokens);
      assertThat(WRITER.tokenIds(prompt, 3)).hasSize(tokens);
      assertThat(WRITER.text(prompt, 3).split(" ")).hasSize(tokens);
    }
  }

  @Test
  void aGivenTextIsLedByTheRunsOwnWordsUnlessPromptsRepeat() {
    assertThat(WRITER.lead(1)).isNotEqualTo(WRITER.lead(2)).endsWith(" ");
    assertThat(new PromptWriter("", WORDS, PromptFit.UNKNOWN).lead(1)).isEmpty();
  }

  @Test
  void textLeavesRoomForTheServersTemplate() {
    PromptFit fit = PromptFit.through(10, 13, 40, 43);
    PromptWriter writer = new PromptWriter("n", WORDS, fit);

    assertThat(fit).isEqualTo(new PromptFit(3, 1));
    assertThat(writer.text(Prompt.Synthetic.unique(64), 1).split(" ")).hasSize(61);
    assertThat(PromptFit.through(10, 25, 20, 45).words(65)).isEqualTo(30);
  }

  @Test
  void aSharedPrefixHasItsLengthInTokensHoweverManyAWordMakes() {
    PromptWriter writer = new PromptWriter("n", WORDS_ENOUGH, new PromptFit(0, 2));
    Prompt.Synthetic prompt = new Prompt.Synthetic(80, List.of(new SharedPrefix(3, 40)));

    String[] first = writer.text(prompt, 1).split(" ");
    String[] second = writer.text(prompt, 2).split(" ");

    assertThat(first).hasSize(40);
    assertThat(Arrays.copyOf(first, 20)).isEqualTo(Arrays.copyOf(second, 20));
    assertThat(Arrays.copyOfRange(first, 20, 26)).isNotEqualTo(Arrays.copyOfRange(second, 20, 26));
  }

  @Test
  void theLeadOfAGivenTextIsWholeHoweverLongTheServersTemplateIs() {
    PromptWriter writer = new PromptWriter("n", WORDS_ENOUGH, new PromptFit(30, 1));

    assertThat(writer.lead(1).strip().split(" ")).hasSize(6);
    assertThat(writer.lead(1)).isNotEqualTo(writer.lead(2));
  }

  private static List<Integer> firstBlock(int[] tokens) {
    return Arrays.stream(tokens).limit(BLOCK).boxed().toList();
  }
}
