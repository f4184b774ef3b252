package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which threads read how many streams, and that names are looked up beside them. */
class StreamThreadsTest {

  @ParameterizedTest
  @CsvSource({"0, PLATFORM", "300, PLATFORM", "301, VIRTUAL", "10000, VIRTUAL"})
  void fewStreamsHaveThreadsOfTheSystem(long streams, StreamThreads expected) {
    assertThat(StreamThreads.of(streams)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void eachStreamHasADaemonThreadOfItsKind(StreamThreads kind) throws Exception {
    try (ExecutorService threads = kind.start()) {
      Future<Thread> used = threads.submit(Thread::currentThread);
      assertThat(used.get().isDaemon()).isTrue();
      assertThat(used.get().isVirtual()).isEqualTo(kind == StreamThreads.VIRTUAL);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothFindNames(StreamThreads kind) throws Exception {
    assertThat(kind.names().lookup("127.0.0.1"))
        .containsExactly(InetAddress.getByName("127.0.0.1"));
  }

  @ParameterizedTest
  @EnumSource
  void bothSayWhichNameNobodyKnows(StreamThreads kind) {
    assertThatThrownBy(() -> kind.names().lookup("nobody.invalid"))
        .isInstanceOf(UnknownHostException.class)
        .hasMessageContaining("nobody.invalid");
  }

}
