package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.HttpTemplate;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.load.ClosedLoop;
import org.svcmailbox.bench.load.FixedRate;
import org.svcmailbox.bench.load.HttpSender;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.Wrk;

/** A contestant with an HTTP protocol. */
abstract class HttpContestant implements Contestant {
  private static final int FILLERS = 8;

  private final Path work;

  /**
   * @param work directory for the files of the generator
   */
  HttpContestant(Path work) {
    this.work = work;
  }

  abstract LoadTarget target();

  abstract HttpProtocol protocol();

  /** Most messages in a request. */
  abstract int largestBatch();

  @Override
  public boolean can(Load load) {
    return load.batch() <= largestBatch();
  }

  @Override
  public void create(String queue) throws Exception {
    call("create", protocol().create(queue));
  }

  @Override
  public void fill(String queue, int messages) throws Exception {
    ClosedLoop.fill(number -> sender(queue, number), FILLERS, largestBatch(), messages);
  }

  @Override
  public Outcome run(Load load, String queue, Duration lasting) throws Exception {
    Wrk wrk = new Wrk(target().server(), work);
    return switch (load.work()) {
      case SEND ->
          wrk.put(protocol().send(queue, load.batch()), protocol().failure(), load, lasting);
      case RECV -> wrk.take(protocol().take(queue, load.batch()), load, lasting);
      case RATE -> FixedRate.run(number -> sender(queue, number), load, lasting);
    };
  }

  @Override
  public void delete(String queue) throws Exception {
    call("delete", protocol().delete(queue));
  }

  @Override
  public boolean isJvm() {
    return true;
  }

  private HttpSender sender(String queue, int number) throws IOException {
    return new HttpSender(target(), protocol(), queue, number);
  }

  private void call(String what, HttpTemplate request) throws IOException {
    try (HttpConnection connection = new HttpConnection(target())) {
      connection.exchange(what, request.bytes(() -> HttpTemplate.KEY));
    }
  }
}
