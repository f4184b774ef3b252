package tallystick.simengine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A made-up vocabulary of whole words: a token is a word of two syllables, text is words between
 * spaces, an unknown word is one unknown token.
 */
final class Vocabulary {
  static final int SIZE = 2048; // the tiny model's
  static final int UNKNOWN = 0; // its place in the vocabulary
  static final int END_OF_TEXT = 2; // its place in the vocabulary
  static final List<String> SPECIAL =
      List.of("<unk>", "<s>", "</s>", "<pad>", "<|user|>", "<|assistant|>", "<|system|>");

  private static final List<String> WORDS = words();
  private static final List<String> TEXTS = texts();
  private static final Map<String, Integer> IDS = ids();

  private Vocabulary() {}

  /** Token ids of a text. */
  static int[] encode(String text) {
    String trimmed = text.strip();
    return trimmed.isEmpty()
        ? new int[0]
        : Stream.of(trimmed.split("\\s+"))
            .mapToInt(word -> IDS.getOrDefault(word, UNKNOWN))
            .toArray();
  }

  /** Text of a token as it appears in a stream: a space and the word, or nothing for a special. */
  static String text(int token) {
    return TEXTS.get(token);
  }

  /** Text of several tokens. */
  static String text(int[] tokens) {
    if (tokens.length == 1) {
      return text(tokens[0]);
    }
    StringBuilder text = new StringBuilder();
    for (int token : tokens) {
      text.append(text(token));
    }
    return text.toString();
  }

  /** The word of a token, specials included. */
  static String word(int token) {
    return WORDS.get(token);
  }

  private static List<String> words() {
    List<String> syllables = new ArrayList<>();
    for (char consonant : "bdfgklmnprstvz".toCharArray()) {
      for (char vowel : "aeiou".toCharArray()) {
        syllables.add("" + consonant + vowel);
      }
    }
    List<String> words = new ArrayList<>(SPECIAL);
    for (String first : syllables) {
      for (String second : syllables) {
        if (words.size() < SIZE) {
          words.add(first + second);
        }
      }
    }
    return List.copyOf(words);
  }

  private static List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int token = 0; token < WORDS.size(); token++) {
      texts.add(token < SPECIAL.size() ? "" : " " + WORDS.get(token));
    }
    return List.copyOf(texts);
  }

  private static Map<String, Integer> ids() {
    Map<String, Integer> ids = new HashMap<>();
    for (int id = 0; id < WORDS.size(); id++) {
      ids.put(WORDS.get(id), id);
    }
    return Map.copyOf(ids);
  }
}
