package tallystick.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An experiment's memory: {@code journal.ndjson}. The first line says what the experiment is, each
 * further one is a finished run, on the disk before the next run begins. A last line that a kill or
 * a full disk cut is no run: it is cut off, and its run is played again.
 *
 * @param <E> what a finished run leaves: a record that Jackson writes and reads
 */
public final class Journal<E> {
  public static final String FILE = "journal.ndjson";

  /** How an experiment's files are written. */
  public static final ObjectMapper MAPPER =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
  private static final int FORMAT = 2;

  private final Path file;
  private final List<E> done;

  /**
   * The first line.
   *
   * @param formatVersion of the file
   * @param experiment for example {@code capacity}
   * @param scenario its name
   * @param asked the parts of the fingerprint
   */
  private record Head(
      int formatVersion, String experiment, String scenario, Map<String, String> asked) {}

  private Journal(Path file, List<E> done) {
    this.file = file;
    this.done = new ArrayList<>(done);
  }

  /**
   * Begins a new experiment's journal in an empty folder: it is there whole or not at all.
   *
   * @throws IOException if it cannot be written
   */
  public static void begin(Path folder, JournalIdentity<?> of) throws IOException {
    Head head =
        new Head(FORMAT, of.experiment(), of.scenario(), of.fingerprint().parts());
    write(folder.resolve(FILE), List.of(MAPPER.writeValueAsString(head)));
  }

  /**
   * A result as it stands in its file.
   *
   * @throws IOException if it cannot be put into words
   */
  public static String text(Object result) throws IOException {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(result) + "\n";
  }

  /** What to say of a folder that holds no experiment, or one that ended before it began. */
  public static String noneIn(Path folder) {
    return folder + " holds no experiment: it has no " + FILE + "; begin anew without --resume";
  }

  /** Whether a folder holds an experiment. */
  public static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }

  /**
   * Why an experiment cannot go on in a folder; empty if it can.
   *
   * @throws IOException if the journal cannot be read
   */
  public static Optional<String> mistakeIn(Path folder, JournalIdentity<?> of) throws IOException {
    try {
      resume(folder, of);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * The journal of an experiment that has begun.
   *
   * @throws IllegalArgumentException if it is of another experiment
   * @throws IOException if it cannot be read
   */
  public static <E> Journal<E> resume(Path folder, JournalIdentity<E> of) throws IOException {
    Path file = folder.resolve(FILE);
    if (!isIn(folder)) {
      throw new IllegalArgumentException(noneIn(folder));
    }
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    if (end < bytes.length) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(end);
      }
    }
    List<String> lines = new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
    requireSame(file, lines, of);
    return new Journal<>(file, runs(file, lines, of.type()));
  }

  /** A run is one observation: a line that stands there twice would count it as two. */
  private static <E> List<E> runs(Path file, List<String> lines, Class<E> type)
      throws IOException {
    List<E> done = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      int before = lines.indexOf(lines.get(i));
      if (before < i) {
        throw new IOException(
            file + ":" + (i + 1) + " repeats line " + (before + 1) + ": delete it");
      }
      done.add(read(file, i + 1, lines.get(i), type));
    }
    return done;
  }

  private static void requireSame(Path file, List<String> lines, JournalIdentity<?> of)
      throws IOException {
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(file + " is empty: begin the experiment anew");
    }
    int version = read(file, 1, lines.get(0), JsonNode.class).path("format_version").asInt();
    if (version != FORMAT) {
      throw new IllegalArgumentException(
          file + " has format version " + version + ", this build reads " + FORMAT
              + (version > FORMAT ? ": use a newer tally" : ": begin anew without --resume"));
    }
    Head head = read(file, 1, lines.get(0), Head.class);
    if (!head.experiment().equals(of.experiment())) {
      throw new IllegalArgumentException(
          file + " is of another experiment: " + head.experiment() + " of " + head.scenario());
    }
    List<String> differ = of.fingerprint().differences(new Fingerprint(head.asked()));
    if (!differ.isEmpty()) {
      throw new IllegalArgumentException(
          file + " is of another experiment (" + head.experiment() + " of " + head.scenario()
              + "), not the same: " + String.join(", ", differ)
              + "; give what it began with, or begin anew without --resume");
    }
  }

  private static <T> T read(Path file, int number, String line, Class<T> type)
      throws IOException {
    try {
      return MAPPER.readValue(line, type);
    } catch (JsonProcessingException e) {
      String remedy =
          number == 1
              ? "begin the experiment anew"
              : "delete it with all lines below it, and their runs are played again";
      throw new IOException(file + ":" + number + " is damaged: " + remedy, e);
    }
  }

  /** What the finished runs left, in order. */
  public List<E> done() {
    return List.copyOf(done);
  }

  /**
   * Adds a finished run; it is on the disk when this returns.
   *
   * @throws IOException if it cannot be written
   */
  public void add(E result) throws IOException {
    put(file, MAPPER.writeValueAsString(result) + "\n", StandardOpenOption.APPEND);
    done.add(result);
  }

  /**
   * Forgets the last runs if they cannot be used: whoever goes on has mended what spoiled them.
   *
   * @throws IOException if the journal cannot be written
   */
  public void forgetLast(Predicate<E> isDoubtful) throws IOException {
    int kept = done.size();
    while (kept > 0 && isDoubtful.test(done.get(kept - 1))) {
      kept--;
    }
    if (kept == done.size()) {
      return;
    }
    List<String> lines = Files.readAllLines(file).subList(0, kept + 1);
    write(file, lines);
    done.subList(kept, done.size()).clear();
  }

  /** A kill in the middle leaves the file as it was. */
  private static void write(Path file, List<String> lines) throws IOException {
    Path fresh = file.resolveSibling(FILE + ".new");
    put(fresh, String.join("\n", lines) + "\n", StandardOpenOption.TRUNCATE_EXISTING);
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** It is on the disk when this returns. */
  private static void put(Path file, String text, StandardOpenOption where) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, where)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }
}
