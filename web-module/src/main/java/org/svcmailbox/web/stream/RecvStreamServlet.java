package org.svcmailbox.web.stream;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.request.StreamFields;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamService;
import org.svcmailbox.core.stream.StreamService.Door;
import org.svcmailbox.core.stream.StreamService.OpenStream;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.Funnel;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.problem.Problems;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;
import org.svcmailbox.web.servlet.MessageServlet;

/** Streams messages as they become ready, as JSON lines. */
@WebServlet(name = "recv-stream", urlPatterns = "/v1/recv/stream", asyncSupported = true)
public final class RecvStreamServlet extends MessageServlet<StreamFields> {
  private static final Answer HEAD =
      Answer.of(MediaTypes.LINES, Content.NONE)
          .with(
              Map.of(
                  "Cache-Control",
                  "no-store, no-transform",
                  // Keeps proxies from buffering the stream.
                  "X-Accel-Buffering",
                  "no"));

  /** In bytes. */
  private static final int MAX_BODY = 4 << 10;

  private static final long serialVersionUID = 1L;

  private final transient StreamService streams;

  @Inject
  public RecvStreamServlet(EndpointContext context, StreamService streams) {
    super(StreamFields.class, context);
    this.streams = streams;
  }

  @Override
  protected StreamFields body(RequestBodies bodies, HttpServletRequest http) {
    return bodies.json(http, StreamFields.class, MAX_BODY);
  }

  @Override
  protected Answer methodRefused(Call call) {
    return ProblemAnswer.outcome(
        Problems.ofMethod("Opening a stream leases messages, so it takes a POST"), call);
  }

  @Override
  protected void serve(StreamFields body, Caller caller, Exchange exchange) {
    StreamRequest request = body.checked(settings());
    Call call = exchange.call();
    NdjsonOutput output =
        new NdjsonOutput(
            refusal -> Funnel.outcome(Problems.refused(refusal), call),
            leased(),
            settings().request().streamChunk(),
            exchange.span());
    OpenStream stream = streams.open(caller, request, Door.HTTP, output);
    try {
      output.start(stream, exchange.stream(HEAD, output::cut));
    } catch (IOException e) {
      stream.cut();
      throw new UncheckedIOException(e);
    }
  }
}
