package org.svcmailbox.undertow.disconnect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.TestCertificate;
import org.svcmailbox.undertow.disconnect.WaitingServlet.Waiting;

/**
 * Many connections at once, each with a seeded random mixture of waits, early next requests, cut
 * anywhere, and hang-ups, while answers come from other threads after random times. Every answer
 * must be the right one, and every hang-up noticed.
 */
class DisconnectHammerTest {
  private static final int CLIENTS = 8;
  private static final int ROUNDS = 60;
  private static final int ANSWERING_THREADS = 4;
  private static final String HANGS_UP = "hangs up";

  private final long seed = new Random().nextLong();
  private final Queue<CompletableFuture<Void>> noticed = new ConcurrentLinkedQueue<>();
  private final Queue<Future<?>> answered = new ConcurrentLinkedQueue<>();

  /** Opens a connection to the server. */
  private interface Dial {
    Socket dial() throws IOException;
  }

  @Test
  void everyAnswerIsRightAndEveryHangUpIsNoticed() throws Exception {
    try (TestServer server = TestServer.start()) {
      hammer(server, () -> new Socket(server.address().getAddress(), server.address().getPort()));
    }
  }

  @Test
  void everyAnswerIsRightAndEveryHangUpIsNoticedOverTls(@TempDir Path directory) throws Exception {
    TestCertificate certificate = TestCertificate.in(directory.resolve("tls"), "changeit");
    SSLSocketFactory sockets = certificate.trusting().getSocketFactory();
    try (TestServer server = TestServer.start(certificate.showing())) {
      hammer(
          server,
          () -> sockets.createSocket(server.address().getAddress(), server.address().getPort()));
    }
  }

  private void hammer(TestServer server, Dial dial) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    ScheduledExecutorService answering = Executors.newScheduledThreadPool(ANSWERING_THREADS);
    Thread dispatcher = new Thread(() -> dispatch(server, answering), "dispatcher");
    dispatcher.start();
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        long own = seed + i;
        tasks.add(() -> new Client(dial, new Random(own)).run());
      }
      int answers = 0;
      for (Future<Integer> result : clients.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
        answers += result.get();
      }
      assertTrue(answers > CLIENTS * ROUNDS / 2, "answers " + answers);
      CompletableFuture.allOf(noticed.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
      for (Future<?> answer : answered) {
        answer.get();
      }
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    } finally {
      dispatcher.interrupt();
      dispatcher.join();
      clients.shutdownNow();
      answering.shutdown();
      assertTrue(answering.awaitTermination(10, TimeUnit.SECONDS));
    }
  }

  /** Answers every request after a random time, those of clients that hang up once they have. */
  private void dispatch(TestServer server, ScheduledExecutorService answering) {
    Random random = new Random(seed);
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Waiting waiting = server.nextWaiting();
        if (waiting.body().startsWith(HANGS_UP)) {
          noticed.add(waiting.gone().thenRunAsync(waiting::answer, answering));
        } else {
          int delay = random.nextInt(2000);
          answered.add(answering.schedule(waiting::answer, delay, TimeUnit.MICROSECONDS));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One client's random program. */
  private record Client(Dial dial, Random random) {
    int run() throws IOException {
      int answers = 0;
      RawConnection connection = RawConnection.over(dial.dial());
      for (int round = 0; round < ROUNDS; round++) {
        if (random.nextInt(10) == 0) {
          connection.send(RawConnection.post("/wait", HANGS_UP + round));
          connection.hangUp();
          connection = RawConnection.over(dial.dial());
        } else {
          answers += exchange(connection, round);
        }
      }
      connection.close();
      return answers;
    }

    /** One request, and perhaps a next one whose beginning is sent before the first's answer. */
    private int exchange(RawConnection connection, int round) throws IOException {
      String first = "first " + round;
      connection.send(RawConnection.post("/wait", first));
      if (random.nextBoolean()) {
        assertEquals(first, connection.receive().expect(200).body());
        return 1;
      }
      String next = RawConnection.post("/wait", "next " + round);
      int cut = random.nextInt(next.length() + 1);
      connection.send(next.substring(0, cut));
      assertEquals(first, connection.receive().expect(200).body());
      connection.send(next.substring(cut));
      assertEquals("next " + round, connection.receive().expect(200).body());
      return 2;
    }
  }
}
