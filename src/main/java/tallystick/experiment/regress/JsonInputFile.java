package tallystick.experiment.regress;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import tallystick.experiment.Journal;

/** A file that outlives its experiment: a baseline, or an installation's noise. */
public final class JsonInputFile {
  /** What follows the end, or stands there twice, two people have merged. */
  private static final ObjectReader READER =
      Journal.MAPPER
          .reader()
          .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);

  private JsonInputFile() {}

  /**
   * A baseline's text.
   *
   * @throws IllegalArgumentException if it is none, or a newer one
   */
  public static Baseline baseline(String name, String text) {
    Baseline read = read(name, text, Baseline.class);
    require(name, read.formatVersion(), Baseline.FORMAT);
    if (read.runs() == null || read.runs().isEmpty()) {
      throw new IllegalArgumentException(name + " holds no run: it is not a baseline");
    }
    for (ComparedRun run : read.runs()) {
      if (run == null || run.load().requests() < 1) {
        throw new IllegalArgumentException(
            name + " holds a run without requests: make it anew with --save-baseline");
      }
    }
    return read;
  }

  /**
   * A noise file's text.
   *
   * @throws IllegalArgumentException if it is none, or a newer one
   */
  public static BaselineVariance noise(String name, String text) {
    BaselineVariance read = read(name, text, BaselineVariance.class);
    require(name, read.formatVersion(), BaselineVariance.FORMAT);
    if (read.spread() == null || read.likeness() == null) {
      throw new IllegalArgumentException(name + " tells no noise: measure it with --calibrate");
    }
    return read;
  }

  private static <T> T read(String name, String text, Class<T> type) {
    try {
      // Bytes, because a mark of their order at the beginning is no fault.
      T read = READER.forType(type).readValue(text.getBytes(StandardCharsets.UTF_8));
      if (read == null) {
        throw new IllegalArgumentException(name + " says nothing");
      }
      return read;
    } catch (JsonProcessingException e) {
      String line = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
      throw new IllegalArgumentException(name + line + " cannot be read: " + why(e), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(name + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** In words that name no class. */
  private static String why(JsonProcessingException e) {
    return switch (e) {
      case ValueInstantiationException of when of.getCause() instanceof IllegalArgumentException ->
          of.getCause().getMessage();
      case UnrecognizedPropertyException of ->
          "this build knows no \"" + of.getPropertyName() + "\"";
      case InvalidFormatException of -> "this build knows no \"" + of.getValue() + "\"";
      case MismatchedInputException of when !text(of).isEmpty() ->
          "what " + text(of) + " says is of another kind";
      case MismatchedInputException of -> "it is not such a file, or it is two in one";
      default -> e.getOriginalMessage();
    };
  }

  /** The names from the outermost to the one that is wrong. */
  private static String text(MismatchedInputException e) {
    return e.getPath().stream()
        .map(JsonMappingException.Reference::getFieldName)
        .filter(Objects::nonNull)
        .collect(Collectors.joining("."));
  }

  private static void require(String name, int version, int known) {
    if (version < 1 || version > known) {
      throw new IllegalArgumentException(
          name + " has format version " + version + ", this build reads up to " + known);
    }
  }
}
