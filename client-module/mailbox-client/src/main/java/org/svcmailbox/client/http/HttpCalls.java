package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Reading;
import org.svcmailbox.client.service.Repeater;
import org.svcmailbox.client.service.ServiceProblem;

/**
 * Makes calls, and repeats them after lost answers, 408, 429, 5xx and a 404 that is not the
 * service's. If a batch as a whole is malformed or too large, its elements are sent one by one, so
 * that only the bad ones fail.
 */
final class HttpCalls {
  private final Transport transport;
  private final Repeater repeater;

  HttpCalls(Transport transport, Repeater repeater) {
    this.transport = transport;
    this.repeater = repeater;
  }

  /**
   * Does the tasks, in one request unless the service refuses the batch. On return every task has
   * its result.
   */
  <A> void run(Endpoint<A> endpoint, List<HttpTask<A>> tasks) {
    repeater.run(left -> attempt(endpoint, left), tasks);
  }

  private <A> void attempt(Endpoint<A> endpoint, List<HttpTask<A>> tasks)
      throws InterruptedException {
    if (tasks.size() == 1) {
      attemptOne(endpoint, tasks.get(0));
    } else {
      attemptMany(endpoint, tasks);
    }
  }

  private <A> void attemptOne(Endpoint<A> endpoint, HttpTask<A> task) throws InterruptedException {
    HttpOutcome reply =
        request(endpoint, endpoint.method(), endpoint.path(), task.json(), List.of(task));
    if (reply instanceof HttpAnswer answer && answer.isOk()) {
      try {
        task.succeed(endpoint.read(answer.json()));
      } catch (IOException e) {
        task.attemptFailed(unreadable(endpoint.path(), e));
      }
    } else if (reply instanceof HttpAnswer answer && answer.problem() != null) {
      refused(endpoint, task, answer.problem());
    } else {
      task.attemptFailed(failure(endpoint.path(), reply));
    }
  }

  private <A> void attemptMany(Endpoint<A> endpoint, List<HttpTask<A>> tasks)
      throws InterruptedException {
    String path = endpoint.path() + "/batch";
    HttpOutcome reply =
        request(endpoint, "POST", path, HttpJson.batch(endpoint.elements(), tasks), tasks);
    if (reply instanceof HttpAnswer answer && answer.isOk()) {
      readResults(endpoint, tasks, path, answer);
    } else if (reply instanceof HttpAnswer answer
        && (answer.status() == 400 || answer.status() == 413)) {
      tasks.forEach(task -> run(endpoint, List.of(task)));
    } else {
      Failure failure = failure(path, reply);
      tasks.forEach(task -> task.attemptFailed(failure));
    }
  }

  private <A> void readResults(
      Endpoint<A> endpoint, List<HttpTask<A>> tasks, String path, HttpAnswer answer) {
    try {
      JsonNode results = HttpJson.required(answer.json(), "results");
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

  private <A> void readResult(
      Endpoint<A> endpoint, HttpTask<A> task, HttpAnswer answer, JsonNode result) {
    try {
      if (result.has("error")) {
        refused(endpoint, task, ProblemJson.of(result.path("error"), answer.token()));
      } else {
        task.succeed(endpoint.read(result));
      }
    } catch (IOException e) {
      task.attemptFailed(unreadable(endpoint.path(), e));
    }
  }

  private <A> void refused(Endpoint<A> endpoint, HttpTask<A> task, ServiceProblem problem) {
    Reading<A> reading = endpoint.read(call(endpoint.path()), problem, task.lost());
    if (reading instanceof Reading.Done<A> done) {
      task.succeed(done.answer());
    } else if (reading instanceof Reading.Refused<A> refused) {
      task.attemptFailed(refused.failure());
    }
  }

  private <A> HttpOutcome request(
      Endpoint<A> endpoint,
      String method,
      String path,
      byte @Nullable [] body,
      List<HttpTask<A>> tasks)
      throws InterruptedException {
    long last = tasks.get(0).deadline();
    for (HttpTask<A> task : tasks) {
      last = task.deadline() - last > 0 ? task.deadline() : last;
    }
    try {
      return endpoint.isHeartbeat()
          ? transport.heartbeat(path, requireNonNull(body), last)
          : transport.call(method, path, body, endpoint.headers(), last);
    } catch (InterruptedException e) {
      Failure failure = Failure.unknown("interrupted during " + call(path), e);
      tasks.forEach(task -> task.attemptFailed(failure));
      throw e;
    }
  }

  private Failure failure(String path, HttpOutcome reply) {
    return reply instanceof HttpAnswer answer
        ? Failure.of(call(path), answer.status(), answer.problem())
        : ((HttpOutcome.None) reply).failure();
  }

  private Failure unreadable(String path, IOException cause) {
    return Failure.unknown("the answer to " + call(path) + " cannot be read", cause);
  }

  private String call(String path) {
    return "call " + transport.target(path);
  }
}
