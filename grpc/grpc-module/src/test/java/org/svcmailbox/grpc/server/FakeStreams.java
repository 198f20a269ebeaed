package org.svcmailbox.grpc.server;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamOutput;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamService;

/** Streams that a test writes to. */
final class FakeStreams implements StreamService {
  /** A stream, and the calls of its door. */
  static final class Opened implements OpenStream {
    final StreamRequest request;
    final StreamOutput output;
    final List<String> done = new CopyOnWriteArrayList<>();

    Opened(StreamRequest request, StreamOutput output) {
      this.request = request;
      this.output = output;
    }

    @Override
    public String id() {
      return "stream-1";
    }

    @Override
    public int window() {
      return request.window();
    }

    @Override
    public void ready() {
      // A test writes when it likes.
    }

    @Override
    public void credit(long messages, long bytes) {
      done.add("credit " + messages + " " + bytes);
    }

    @Override
    public void close() {
      done.add("close");
      output.end(StreamEnd.CLOSED, null);
    }

    @Override
    public void cut() {
      done.add("cut");
    }
  }

  private final BlockingQueue<Opened> opened = new LinkedBlockingQueue<>();

  @Override
  public OpenStream open(Caller caller, StreamRequest request, Door door, StreamOutput output) {
    Opened stream = new Opened(request, output);
    opened.add(stream);
    return stream;
  }

  /** The next stream that was opened. */
  Opened next() throws InterruptedException {
    Opened stream = opened.poll(20, TimeUnit.SECONDS);
    if (stream == null) {
      throw new AssertionError("no stream was opened");
    }
    return stream;
  }
}
