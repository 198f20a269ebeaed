package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.http.HttpService;

/** Runs a command for each message and settles the message by its exit code. */
final class ExecutingConsumer implements RecvCommand.Consumer {
  private static final Duration DELAY_PER_ATTEMPT = Duration.ofMinutes(1);
  private static final int MAX_DELAYS = 15;

  /** Parts of a shorter lease would be below a millisecond. */
  private static final long SHORTEST = 12;

  /** After this part of a lease, a failed extension is repeated. */
  private static final int LATER = 12;

  private static final int ENDED_BY_SIGINT = 130;
  private static final Duration INTERRUPT_DELAY = Duration.ofSeconds(1);

  private final HttpService calls;
  private final String command;
  private final @Nullable Duration retryDelay;
  private final Surroundings surroundings;
  private final Console console;
  private final JsonOutput out;

  ExecutingConsumer(
      HttpService calls,
      String command,
      @Nullable Duration retryDelay,
      Surroundings surroundings,
      Console console,
      JsonOutput out) {
    this.calls = calls;
    this.command = command;
    this.retryDelay = retryDelay;
    this.surroundings = surroundings;
    this.console = console;
    this.out = out;
  }

  /** One, so that no lease ages while another message is processed. */
  @Override
  public int atOnce() {
    return 1;
  }

  @Override
  public void consume(List<JsonNode> messages, CombinedExit outcomes) throws InterruptedException {
    for (JsonNode message : messages) {
      outcomes.add(handle(message));
      out.flush();
    }
  }

  private ExitCode handle(JsonNode message) throws InterruptedException {
    try (ShellCommand running = ShellCommand.start(command, message, surroundings)) {
      if (!await(running, message)) {
        return tell(message, "its lease was lost while the command ran", null);
      }
      int code = running.exitCode();
      if (code == ENDED_BY_SIGINT) {
        // Ctrl-C reaches the command as well, so the interrupt of this thread will follow.
        Thread.sleep(INTERRUPT_DELAY.toMillis());
      }
      return code == 0
          ? acknowledge(message)
          : refuse(message, running.lastError().orElse("the exit code was " + code), code);
    } catch (InterruptedException e) {
      // The thread's interrupt flag is clear now, so this call is made.
      calls.nack(List.of(nack(message, "its receiver was stopped", Duration.ZERO)));
      throw e;
    } catch (IOException e) {
      return refuse(message, "the command cannot be run: " + e.getMessage(), null);
    }
  }

  /**
   * Waits for the end of the command; returns false if the lease was lost before or is over by the
   * clock. An extension takes at most half of the remaining time, so that there is time for another
   * one.
   */
  private boolean await(ShellCommand running, JsonNode message) throws InterruptedException {
    Duration lease = Duration.ofMillis(Math.max(SHORTEST, message.path("visibility_ms").asLong()));
    ObjectNode extension = Envelopes.receipt(message).put("visibility_ms", lease.toMillis());
    long end = System.nanoTime() + lease.toNanos();
    Duration pause = lease.dividedBy(3);
    while (!running.hasEndedWithin(pause)) {
      long begun = System.nanoTime();
      if (begun - end >= 0) {
        return false;
      }
      Optional<RuntimeException> failure =
          calls.extend(List.of(extension), Duration.ofNanos((end - begun) / 2 + 1)).get(0);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (failure.orElse(null) instanceof ReceiptHandleExpiredException) {
        return false;
      }
      failure.ifPresent(why -> console.note("the lease is not extended: " + why.getMessage()));
      end = failure.isEmpty() ? begun + lease.toNanos() : end;
      pause = lease.dividedBy(failure.isEmpty() ? 3 : LATER);
    }
    return true;
  }

  private ExitCode acknowledge(JsonNode message) {
    Optional<RuntimeException> failure =
        calls.acknowledge(List.of(Envelopes.receipt(message))).get(0);
    if (failure.isPresent()) {
      return tell(message, "it is not acknowledged: " + failure.get().getMessage(), 0);
    }
    out.line(result(message, 0).put("acknowledged", true));
    return ExitCode.DONE;
  }

  private ExitCode refuse(JsonNode message, String reason, @Nullable Integer code) {
    Duration delay = retryDelay != null ? retryDelay : delay(message.path("attempt").asInt());
    Optional<RuntimeException> failure = calls.nack(List.of(nack(message, reason, delay))).get(0);
    failure.ifPresent(why -> console.note("the message is not nacked: " + why.getMessage()));
    return tell(message, reason, code);
  }

  private ExitCode tell(JsonNode message, String error, @Nullable Integer code) {
    out.line(
        result(message, code)
            .put("acknowledged", false)
            .put("error", Capability.withoutTokens(error)));
    return ExitCode.SOME_FAILED;
  }

  private static ObjectNode result(JsonNode message, @Nullable Integer code) {
    return JsonOutput.object()
        .put("msg_id", message.path("msg_id").asText())
        .put("attempt", message.path("attempt").asInt())
        .put("exit", code);
  }

  private static ObjectNode nack(JsonNode message, String reason, Duration delay) {
    return Envelopes.receipt(message)
        .put("reason", Capability.withoutTokens(reason))
        .put("delay_ms", delay.toMillis());
  }

  private static Duration delay(int attempt) {
    return DELAY_PER_ATTEMPT.multipliedBy(Math.min(attempt, MAX_DELAYS));
  }
}
