package tallystick;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes inputs: stretches of sound ones with a few changes, and words of the format at random.
 *
 * @param sound inputs that the reader accepts
 * @param words what the format is made of, and what it fears
 * @param longest bytes of a stretch
 */
public record FuzzInputs(List<byte[]> sound, List<String> words, int longest) {
  private static final int MOST_WORDS = 60;
  private static final int MOST_CHANGES = 6;

  /** Inputs from texts. */
  public static FuzzInputs of(List<String> sound, List<String> words, int longest) {
    List<byte[]> bytes =
        sound.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    return new FuzzInputs(bytes, words, longest);
  }

  /** One input. */
  public byte[] make(SplittableRandom random) {
    byte[] input = random.nextInt(4) == 0 ? ofWords(random) : stretch(random);
    for (int changes = random.nextInt(MOST_CHANGES); changes > 0; changes--) {
      input = changed(input, random);
    }
    return input;
  }

  private byte[] ofWords(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(MOST_WORDS); left > 0; left--) {
      text.append(word(random));
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Half of them whole lines, so that more than the first line is read. */
  private byte[] stretch(SplittableRandom random) {
    byte[] whole = sound.get(random.nextInt(sound.size()));
    if (whole.length <= longest) {
      return whole.clone();
    }
    int from = random.nextInt(whole.length - longest);
    int to = from + 1 + random.nextInt(longest);
    if (random.nextBoolean()) {
      while (from > 0 && whole[from - 1] != '\n') {
        from--;
      }
      while (to < whole.length && whole[to - 1] != '\n') {
        to++;
      }
    }
    return Arrays.copyOfRange(whole, from, to);
  }

  private byte[] changed(byte[] input, SplittableRandom random) {
    int at = random.nextInt(input.length + 1);
    int to = Math.min(input.length, at + random.nextInt(1 << random.nextInt(8)));
    return switch (random.nextInt(6)) {
      case 0 -> spliced(input, at, at, word(random).getBytes(StandardCharsets.UTF_8));
      case 1 -> spliced(input, at, to, new byte[0]);
      case 2 -> spliced(input, at, at, Arrays.copyOfRange(input, at, to));
      case 3 -> spliced(input, at, to, stretch(random));
      case 4 -> spliced(input, at, Math.min(input.length, at + 1), oneByte(random));
      default -> spliced(input, at, to, word(random).getBytes(StandardCharsets.UTF_8));
    };
  }

  private static byte[] oneByte(SplittableRandom random) {
    return new byte[] {(byte) random.nextInt(256)};
  }

  private String word(SplittableRandom random) {
    return words.get(random.nextInt(words.size()));
  }

  private static byte[] spliced(byte[] input, int from, int to, byte[] put) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(input.length + put.length);
    all.write(input, 0, from);
    all.write(put, 0, put.length);
    all.write(input, to, input.length - to);
    return all.toByteArray();
  }
}
