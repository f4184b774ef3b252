package tallystick.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import tallystick.plan.Plan;
import tallystick.runrecord.PlanJson;

/**
 * All that a decision depends on, one word for each part of it: an experiment that goes on can say
 * which part somebody changed.
 *
 * @param parts what a user calls a part, for example {@code --seed} → its word
 */
public record Fingerprint(Map<String, String> parts) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public Fingerprint {
    parts = new LinkedHashMap<>(parts);
  }

  /**
   * What is sent, as one plan of it shows.
   *
   * @param plan under a seed that is always the same
   * @throws IOException never
   */
  public static Fingerprint of(Plan plan) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PlanJson.write(plan, bytes);
    return new Fingerprint(Map.of("the scenario", word(bytes.toByteArray())));
  }

  /** The same with one part more, told by its text. */
  public Fingerprint with(String part, Object value) {
    return with(part, String.valueOf(value).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The same with the content of a file, whose entries may stand in any order.
   *
   * @throws IOException if it cannot be written
   */
  public Fingerprint withFile(String part, Object content) throws IOException {
    return with(
        part,
        MAPPER
            .writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .writeValueAsBytes(content));
  }

  private Fingerprint with(String part, byte[] bytes) {
    Fingerprint all = new Fingerprint(parts);
    all.parts.put(part, word(bytes));
    return all;
  }

  /** The word of some bytes: no others have it. */
  public static String word(byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The parts in which another one differs. */
  List<String> differences(Fingerprint other) {
    TreeSet<String> names = new TreeSet<>(parts.keySet());
    names.addAll(other.parts.keySet());
    List<String> differ = new ArrayList<>(names);
    differ.removeIf(name -> Objects.equals(parts.get(name), other.parts.get(name)));
    return differ;
  }
}
