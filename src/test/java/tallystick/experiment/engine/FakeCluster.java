package tallystick.experiment.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A script that does what kubectl does with one deployment, and writes down every call. */
public final class FakeCluster {
  /** The args that the deployment begins with. */
  public static final String FIRST =
      "[\"--model\",\"m\",\"--max_num_seqs\",\"64\",\"--block-size=16\"]";

  private static final String SCRIPT =
      """
      #!/bin/sh
      cd 'DIR' || exit 9
      echo "$*" >> calls
      read -r args < args; read -r generation < generation
      case "$*" in
      *" get deployment "*)
        printf '{"kind":"Deployment","metadata":{"name":"vllm","namespace":"bench",'
        printf '"generation":%s},"spec":{"replicas":1,"template":{"spec":{"containers":[' \
          "$generation"
        printf '{"name":"side"},{"name":"vllm","args":%s}]}}},' "$args"
        printf '"status":{"availableReplicas":1}}' ;;
      *" patch deployment "*)
        for word; do case "$word" in "[{"*) patch=$word;; esac; done
        old=${patch#*/args\\",\\"value\\":}; old=${old%%\\},*}
        new=${patch##*\\"value\\":}; new=${new%\\}]}
        [ "$old" = "$args" ] || { echo "the test failed" >&2; exit 1; }
        case "$*" in *--dry-run=server*)
          [ ! -e forbidden ] || { echo "Error: patch is forbidden" >&2; exit 1; }
          exit 0;; esac
        echo "$new" > args; echo $((generation + 1)) > generation ;;
      *" rollout restart "*) echo $((generation + 1)) > generation ;;
      *" rollout status "*)
        [ ! -e hangs ] || exec sleep 600
        case "$args" in *'"999"'*)
          echo "error: timed out waiting for the condition" >&2; exit 1;; esac ;;
      *) echo "no such call" >&2; exit 1 ;;
      esac
      """;

  private final Path folder;

  private FakeCluster(Path folder) {
    this.folder = folder;
  }

  /** A cluster whose script and state lie in a folder. */
  public static FakeCluster in(Path folder) throws IOException {
    FakeCluster cluster = new FakeCluster(folder);
    cluster.write("args", FIRST);
    cluster.write("generation", "1");
    Files.writeString(
        Files.createFile(
            folder.resolve("kubectl"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))),
        SCRIPT.replace("DIR", folder.toString()));
    return cluster;
  }

  /** What is called instead of kubectl. */
  public String program() {
    return folder.resolve("kubectl").toString();
  }

  void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text + "\n");
  }

  /** The args that the deployment has now. */
  public String args() throws IOException {
    return Files.readString(folder.resolve("args")).strip();
  }

  /** Every call so far. */
  public List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }
}
