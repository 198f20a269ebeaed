package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.svcmailbox.client.http.HttpService;

/** Follows a job over dead letters to its end. */
final class JobWatch {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final HttpService calls;
  private final Console console;
  private final JsonOutput out;

  JobWatch(HttpService calls, Console console, JsonOutput out) {
    this.calls = calls;
    this.console = console;
    this.out = out;
  }

  /** Shows the progress of a job, and writes its result. */
  ExitCode follow(JsonNode job) throws InterruptedException {
    String id = job.path("job_id").asText();
    try {
      return told(end(job, id), id);
    } catch (InterruptedException e) {
      console.note("job " + id + " goes on: mailbox dlq jobs " + id);
      out.line(job);
      throw e;
    } catch (RuntimeException e) {
      console.note("job " + id + " may go on: mailbox dlq jobs " + id);
      throw e;
    }
  }

  private JsonNode end(JsonNode begun, String id) throws InterruptedException {
    JsonNode job = begun;
    long total = job.path("total").asLong();
    try (Progress progress = console.progress(job.path("action").asText(), total, "letters")) {
      Duration pause = FIRST_PAUSE;
      while (!job.has("finished_at") && !isHeld(job)) {
        Thread.sleep(pause.toMillis());
        job = now(id);
        progress.to(moved(job));
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
      }
    }
    return job;
  }

  /** Whether it is paused after its first letters. */
  private static boolean isHeld(JsonNode job) {
    return job.path("paused_because").asText().equals("first");
  }

  private JsonNode now(String id) throws InterruptedException {
    try {
      return calls.get("/v1/jobs/" + id);
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw e;
    }
  }

  private static long moved(JsonNode job) {
    return job.path("done").asLong() + job.path("failed").asLong() + job.path("gone").asLong();
  }

  private ExitCode told(JsonNode job, String id) {
    out.line(job);
    if (isHeld(job)) {
      console.note(
          "the first letters are done: mailbox dlq jobs " + id + " --resume moves the rest");
    }
    boolean isDone =
        (job.path("state").asText().equals("done") || isHeld(job))
            && job.path("failed").asLong() == 0;
    return isDone ? ExitCode.DONE : ExitCode.SOME_FAILED;
  }
}
