package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.MailboxProtocol;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.bench.machine.Listener;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.test.net.PortOffset;

/** The ceiling of the generator: the same requests, answered by {@link EmptyServlet}. */
public final class ServletContestant extends HttpContestant {
  private @Nullable Listener listener;

  public ServletContestant(Path work) {
    super(work);
  }

  @Override
  public String name() {
    return "servlet";
  }

  @Override
  public String title() {
    return "empty servlet (ceiling)";
  }

  @Override
  public String durability() {
    return "nothing is kept";
  }

  @Override
  public void start(Path directory, Path output) throws IOException {
    int port = PortOffset.freePort();
    List<String> command = ChildProcesses.jvm(EmptyServlet.class, Integer.toString(port));
    listener = Listener.start(new ProcessBuilder(command), port, output);
  }

  @Override
  public void fill(String queue, int messages) {
    // It answers every RECV with messages.
  }

  @Override
  LoadTarget target() {
    return new LoadTarget(Objects.requireNonNull(listener).uri(), EmptyServlet.TOKEN);
  }

  @Override
  HttpProtocol protocol() {
    return new MailboxProtocol(target(), target());
  }

  @Override
  int largestBatch() {
    return EmptyServlet.LARGEST_BATCH;
  }

  @Override
  public ProcessUsage processes() {
    return Objects.requireNonNull(listener).processes();
  }

  @Override
  public void close() {
    if (listener != null) {
      listener.close();
    }
  }
}
