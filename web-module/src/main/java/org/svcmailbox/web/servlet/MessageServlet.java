package org.svcmailbox.web.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;

/**
 * A path that accepts only POST. It checks the capability, the method, the media type, the length
 * and the fields, in this order.
 *
 * @param <B> the JSON body
 */
public abstract class MessageServlet<B> extends HttpServlet {
  private static final String POST = "POST";
  private static final long serialVersionUID = 1L;

  private final Class<B> bodyType;
  private final transient EndpointContext context;

  protected MessageServlet(Class<B> bodyType, EndpointContext context) {
    this.bodyType = bodyType;
    this.context = context;
  }

  protected final MailboxService mailbox() {
    return context.mailbox();
  }

  protected final LeasedBytes leased() {
    return context.leased();
  }

  protected final MailboxSettings settings() {
    return context.settings();
  }

  /** Reads the body of one request. */
  protected B body(RequestBodies bodies, HttpServletRequest http) {
    return bodies.json(http, bodyType);
  }

  /** The answer to any method except POST. */
  protected Answer methodRefused(Call call) {
    return refuse(HttpServletResponse.SC_METHOD_NOT_ALLOWED, call);
  }

  /** Serves one request; exceptions become problems. */
  protected abstract void serve(B body, Caller caller, Exchange exchange);

  @Override
  protected final void service(HttpServletRequest http, HttpServletResponse response)
      throws IOException {
    Call call = Call.of(http);
    try {
      Caller caller = context.authentication().caller(http);
      Consumer<Exchange> handler = handler(http, caller);
      if (!POST.equals(http.getMethod())) {
        methodRefused(call).with(Map.of("Allow", POST)).writeTo(response);
      } else if (handler == null) {
        refuse(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, call).writeTo(response);
      } else {
        CallSpan span = context.spans().begin(http);
        new Exchange(http, response, call, span, context).serve(handler);
      }
    } catch (RuntimeException e) {
      ProblemAnswer.thrown(e, call).writeTo(response);
    }
  }

  private static Answer refuse(int status, Call call) {
    return ProblemAnswer.refused(status, call);
  }

  /** Returns the handler of a media type; null when the path does not accept it. */
  private @Nullable Consumer<Exchange> handler(HttpServletRequest http, Caller caller) {
    String contentType = http.getContentType();
    if (contentType.equals(MediaTypes.JSON)) {
      return exchange -> serve(body(context.bodies(), http), caller, exchange);
    }
    return contentType.equals(MediaTypes.OCTETS) && this instanceof OctetServlet octets
        ? exchange -> octets.serve(context.bodies().octets(http), caller, exchange)
        : null;
  }
}
