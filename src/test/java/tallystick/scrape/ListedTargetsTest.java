package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.scenario.Target;
import tallystick.scenario.TargetList;

/** The list of engines as SRV records of a DNS server on loopback, and as a file. */
class ListedTargetsTest {
  private static final String NAME = "_http._tcp.vllm.test";

  @TempDir private Path folder;

  @Test
  void readsHostAndPortOfEachRecordOnce() throws IOException {
    try (Dns dns = new Dns(List.of("vllm-0.vllm.test:8000", "10-0-0-7.test:9000",
        "vllm-0.vllm.test:8000"))) {
      assertThat(read(dns))
          .extracting(Target::metricsUrl)
          .containsExactlyInAnyOrder(
              "http://vllm-0.vllm.test:8000/metrics", "http://10-0-0-7.test:9000/metrics");
    }
  }

  @Test
  void aNameThatIsNotThereIsNoEmptyList() throws IOException {
    try (Dns dns = new Dns(List.of())) {
      assertThatThrownBy(() -> read(dns))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(NAME)
          .hasMessageContaining("127.0.0.1:" + dns.port());
    }
  }

  @Test
  void aRecordWithoutAHostSpoilsTheAnswer() throws IOException {
    try (Dns dns = new Dns(List.of("vllm-0.test:8000", "me@b:80"))) {
      assertThatThrownBy(() -> read(dns))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("names no host and port");
    }
  }

  @Test
  void aFileThatIsGoneIsNamed() {
    Path gone = folder.resolve("gone.json");
    ListedTargets listed = new ListedTargets(new TargetList(gone.toString(), "", ""));
    assertThatThrownBy(listed::read).isInstanceOf(IOException.class).hasMessageContaining("gone");
  }

  private static List<Target> read(Dns dns) throws IOException {
    return new ListedTargets(new TargetList("", NAME, "127.0.0.1:" + dns.port())).read();
  }

  /** Answers every question with the same SRV records; without any, that there is no such name. */
  private static final class Dns implements AutoCloseable {
    private static final int NO_SUCH_NAME = 3;

    private final DatagramSocket socket;
    private final List<String> records;

    Dns(List<String> records) throws IOException {
      this.records = records;
      this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
      Thread.ofPlatform().daemon().start(this::serve);
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() {
      socket.close();
    }

    private void serve() {
      byte[] buffer = new byte[512];
      try {
        while (true) {
          DatagramPacket question = new DatagramPacket(buffer, buffer.length);
          socket.receive(question);
          byte[] answer = answer(Arrays.copyOf(buffer, question.getLength()));
          socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
        }
      } catch (IOException e) {
        // The socket was closed: the test is over.
        return;
      }
    }

    private byte[] answer(byte[] question) throws IOException {
      int end = 12;
      while (question[end] != 0) {
        end += question[end] + 1;
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.write(question, 0, 2);
      out.writeShort(0x8580 | (records.isEmpty() ? NO_SUCH_NAME : 0));
      out.writeShort(1);
      out.writeShort(records.size());
      out.writeInt(0);
      out.write(question, 12, end + 5 - 12);
      for (String record : records) {
        int colon = record.lastIndexOf(':');
        byte[] host = name(record.substring(0, colon));
        out.writeShort(0xC00C);
        out.writeShort(33);
        out.writeShort(1);
        out.writeInt(5);
        out.writeShort(6 + host.length);
        out.writeShort(0);
        out.writeShort(100);
        out.writeShort(Integer.parseInt(record.substring(colon + 1)));
        out.write(host);
      }
      return bytes.toByteArray();
    }

    private static byte[] name(String host) throws IOException {
      ByteArrayOutputStream name = new ByteArrayOutputStream();
      for (String label : host.split("\\.")) {
        name.write(label.length());
        name.write(label.getBytes(StandardCharsets.US_ASCII));
      }
      name.write(0);
      return name.toByteArray();
    }
  }
}
