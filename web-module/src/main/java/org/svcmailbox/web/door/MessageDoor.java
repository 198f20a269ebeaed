package org.svcmailbox.web.door;

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
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.JsonRequest;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.trace.RequestSpan;

/**
 * A path that takes POST and nothing else. A request is refused in this order: for who makes it,
 * for its method, for its media type, for its length, for what it says.
 *
 * @param <B> the JSON that it takes
 */
public abstract class MessageDoor<B extends JsonRequest> extends HttpServlet {
  private static final String POST = "POST";
  private static final long serialVersionUID = 1L;

  private final Class<B> form;
  private final transient Doorway way;

  /**
   * @param form the JSON that it takes
   */
  protected MessageDoor(Class<B> form, Doorway way) {
    this.form = form;
    this.way = way;
  }

  /** The service behind the door. */
  protected final MailboxService mailbox() {
    return way.mailbox();
  }

  /** What holds for requests. */
  protected final MailboxSettings settings() {
    return way.settings();
  }

  /** Serves one request. What is thrown is answered as a problem. */
  protected abstract void serve(B body, Caller caller, Exchange exchange);

  @Override
  protected final void service(HttpServletRequest http, HttpServletResponse response)
      throws IOException {
    Call call = Call.of(http);
    try {
      Caller caller = way.authentication().caller(http);
      Consumer<Exchange> served = served(http, caller);
      if (!POST.equals(http.getMethod())) {
        refuse(HttpServletResponse.SC_METHOD_NOT_ALLOWED, call)
            .with(Map.of("Allow", POST))
            .writeTo(response);
      } else if (served == null) {
        refuse(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, call).writeTo(response);
      } else {
        RequestSpan span = way.spans().begin(http);
        new Exchange(http, response, call, span, way.patience()).serve(served);
      }
    } catch (RuntimeException e) {
      ProblemAnswer.thrown(e, call).writeTo(response);
    }
  }

  private static Answer refuse(int status, Call call) {
    return ProblemAnswer.refused(status, call);
  }

  /** How a request of this media type is served; null when it is not. */
  private @Nullable Consumer<Exchange> served(HttpServletRequest http, Caller caller) {
    String contentType = http.getContentType();
    if (contentType.equals(MediaTypes.JSON)) {
      return exchange -> serve(way.bodies().json(http, form), caller, exchange);
    }
    return contentType.equals(MediaTypes.OCTETS) && this instanceof OctetDoor door
        ? exchange -> door.serve(way.bodies().octets(http), caller, exchange)
        : null;
  }
}
