package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;

/**
 * Makes calls until each is answered for good, its time is over, or the mailbox stops. Repeats lost
 * answers, 408, 429, 5xx and a 404 that is not the service's, after {@code Retry-After} or else
 * after a random part of an exponential backoff. A batch that is malformed or too large as a whole
 * is repeated one by one, so that it fails only where it must.
 */
final class Repeater {
  private static final Logger LOG = System.getLogger(HttpMailbox.class.getName());
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);
  private static final int MAX_DOUBLINGS = 6;

  private final String mailbox;
  private final Transport transport;
  private final Lifecycle lifecycle;
  private final MailboxClock clock;
  private final DoubleSupplier random;

  /**
   * A repeater for one mailbox.
   *
   * @param random from 0 to 1, spreads the repeats of many clients
   */
  Repeater(
      String mailbox,
      Transport transport,
      Lifecycle lifecycle,
      MailboxClock clock,
      DoubleSupplier random) {
    this.mailbox = mailbox;
    this.transport = transport;
    this.lifecycle = lifecycle;
    this.clock = clock;
    this.random = random;
  }

  /** Does the tasks, in one request as long as they stay together. Every result is then there. */
  <A> void run(Endpoint<A> endpoint, List<Task<A>> tasks) {
    RuntimeException otherwise = new MailboxClosedException(mailbox);
    try {
      List<Task<A>> left = tasks;
      for (int round = 0; !left.isEmpty() && !lifecycle.isStopped(); round++) {
        left = pause(attempt(endpoint, inTime(left)), round);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      otherwise = new MailboxConnectionException("interrupted during the call", Outcome.UNKNOWN, e);
    } catch (RuntimeException | Error e) {
      // The thread may be a batcher's, which must live on for the tasks behind these.
      otherwise = new MailboxConnectionException("the call failed", Outcome.UNKNOWN, e);
    } finally {
      for (Task<A> task : tasks) {
        task.giveUp(otherwise);
      }
    }
  }

  private <A> List<Task<A>> inTime(List<Task<A>> tasks) {
    List<Task<A>> inTime = new ArrayList<>();
    for (Task<A> task : tasks) {
      if (clock.isPast(task.deadline())) {
        task.giveUp(
            new MailboxConnectionException(
                "the time was over before the first attempt", Outcome.NOT_DONE));
      } else {
        inTime.add(task);
      }
    }
    return inTime;
  }

  /** Makes one request, and returns the tasks to repeat. */
  private <A> List<Task<A>> attempt(Endpoint<A> endpoint, List<Task<A>> tasks)
      throws InterruptedException {
    if (tasks.isEmpty()) {
      return tasks;
    }
    if (tasks.size() == 1) {
      attemptOne(endpoint, tasks.get(0));
    } else {
      attemptMany(endpoint, tasks);
    }
    return tasks.stream().filter(task -> !task.isDone()).toList();
  }

  private <A> void attemptOne(Endpoint<A> endpoint, Task<A> task) throws InterruptedException {
    Reply reply = request(endpoint, endpoint.method(), endpoint.path(), task.json(), List.of(task));
    if (reply instanceof Answer answer && answer.isOk()) {
      try {
        task.succeed(endpoint.read(answer.json()));
      } catch (IOException e) {
        task.attemptFailed(unreadable(endpoint.path(), e));
      }
    } else if (reply instanceof Answer answer && answer.problem() != null) {
      refused(endpoint, task, answer.problem());
    } else {
      task.attemptFailed(failure(endpoint.path(), reply));
    }
  }

  private <A> void attemptMany(Endpoint<A> endpoint, List<Task<A>> tasks)
      throws InterruptedException {
    String path = endpoint.path() + "/batch";
    Reply reply = request(endpoint, "POST", path, Json.batch(endpoint.elements(), tasks), tasks);
    if (reply instanceof Answer answer && answer.isOk()) {
      readResults(endpoint, tasks, path, answer);
    } else if (reply instanceof Answer answer
        && (answer.status() == 400 || answer.status() == 413)) {
      tasks.forEach(task -> run(endpoint, List.of(task)));
    } else {
      Failure failure = failure(path, reply);
      tasks.forEach(task -> task.attemptFailed(failure));
    }
  }

  private <A> void readResults(
      Endpoint<A> endpoint, List<Task<A>> tasks, String path, Answer answer) {
    try {
      JsonNode results = Json.required(answer.json(), "results");
      if (results.size() != tasks.size()) {
        throw new IOException(results.size() + " results for " + tasks.size() + " elements");
      }
      for (int i = 0; i < tasks.size(); i++) {
        readResult(endpoint, tasks.get(i), answer, results.get(i));
      }
    } catch (IOException e) {
      Failure failure = unreadable(path, e);
      tasks.stream().filter(task -> !task.isDone()).forEach(task -> task.attemptFailed(failure));
    }
  }

  private <A> void readResult(Endpoint<A> endpoint, Task<A> task, Answer answer, JsonNode result) {
    try {
      if (result.has("error")) {
        refused(endpoint, task, Problem.of(result.path("error"), answer.token()));
      } else {
        task.succeed(endpoint.read(result));
      }
    } catch (IOException e) {
      task.attemptFailed(unreadable(endpoint.path(), e));
    }
  }

  private <A> void refused(Endpoint<A> endpoint, Task<A> task, Problem problem) {
    Endpoint.Reading<A> reading = endpoint.read(call(endpoint.path()), problem, task.lost());
    if (reading instanceof Endpoint.Done<A> done) {
      task.succeed(done.answer());
    } else if (reading instanceof Endpoint.Refused<A> refused) {
      task.attemptFailed(refused.failure());
    }
  }

  private <A> Reply request(
      Endpoint<A> endpoint, String method, String path, byte @Nullable [] body, List<Task<A>> tasks)
      throws InterruptedException {
    long last = tasks.get(0).deadline();
    for (Task<A> task : tasks) {
      last = task.deadline() - last > 0 ? task.deadline() : last;
    }
    try {
      return endpoint.isHeartbeat()
          ? transport.heartbeat(path, requireNonNull(body), last)
          : transport.call(method, path, body, last);
    } catch (InterruptedException e) {
      Failure failure = Failure.unknown("interrupted during " + call(path), e);
      tasks.forEach(task -> task.attemptFailed(failure));
      throw e;
    }
  }

  private Failure failure(String path, Reply reply) {
    return reply instanceof Answer answer
        ? Failure.of(call(path), answer.status(), answer.problem())
        : (Failure) reply;
  }

  private Failure unreadable(String path, IOException cause) {
    return Failure.unknown("the answer to " + call(path) + " cannot be read", cause);
  }

  private String call(String path) {
    return "call " + transport.target(path);
  }

  /** Waits before the next attempt, and returns the tasks that still have time for it. */
  private <A> List<Task<A>> pause(List<Task<A>> tasks, int round) throws InterruptedException {
    List<Task<A>> left = new ArrayList<>();
    Duration longest = Duration.ZERO;
    Duration backoff = backoff(round);
    for (Task<A> task : tasks) {
      Failure failure = task.last();
      Duration wait =
          failure != null && failure.retryAfter() != null ? failure.retryAfter() : backoff;
      if (task.deadline() - clock.deadline(wait) > 0) {
        left.add(task);
        longest = wait.compareTo(longest) > 0 ? wait : longest;
      } else if (failure != null) {
        task.giveUp(failure.cause());
      }
    }
    if (left.isEmpty()) {
      return left;
    }
    log(left, longest);
    return lifecycle.pause(longest) ? left : List.of();
  }

  /** A random part of a time that doubles with each round. */
  private Duration backoff(int round) {
    Duration doubled = FIRST_BACKOFF.multipliedBy(1L << Math.min(round, MAX_DOUBLINGS));
    Duration ceiling = doubled.compareTo(MAX_BACKOFF) < 0 ? doubled : MAX_BACKOFF;
    return Duration.ofNanos((long) (random.getAsDouble() * ceiling.toNanos()));
  }

  private <A> void log(List<Task<A>> left, Duration wait) {
    Failure failure = left.get(0).last();
    if (failure != null) {
      LOG.log(
          Level.DEBUG,
          () ->
              "mailbox "
                  + mailbox
                  + ": "
                  + left.size()
                  + " to be repeated in "
                  + wait
                  + ": "
                  + failure.cause().getMessage());
    }
  }
}
