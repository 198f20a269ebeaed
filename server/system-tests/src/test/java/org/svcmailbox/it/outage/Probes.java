package org.svcmailbox.it.outage;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.it.client.MailboxClient;

/** Asks {@code /healthz} ten times a second, as a service manager that restarts would. */
final class Probes implements AutoCloseable {
  private static final int EVERY_MILLIS = 100;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Queue<String> answers = new ConcurrentLinkedQueue<>();
  private final MailboxClient client;
  private volatile Duration slowest = Duration.ZERO;

  Probes(MailboxClient client) {
    this.client = client;
    var unused = timer.scheduleWithFixedDelay(this::probe, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void probe() {
    long begun = System.nanoTime();
    try {
      answers.add(Integer.toString(client.get("/healthz").status()));
    } catch (IOException e) {
      answers.add(e.toString());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    slowest = took.compareTo(slowest) > 0 ? took : slowest;
  }

  /** The longest time that an answer took. */
  Duration slowest() {
    return slowest;
  }

  /** How many answers were 200. */
  long alive() {
    return answers.stream().filter("200"::equals).count();
  }

  /** The other answers. */
  String others() {
    return String.join(", ", answers.stream().filter(answer -> !answer.equals("200")).toList());
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
