package org.svcmailbox.it.container.probe;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.activemq.artemis.jms.client.ActiveMQQueue;

/** Writes messages of other programs into the queue of what the broker gave up on. */
@WebServlet("/foreign")
public final class ForeignMessageServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Not looked up by name: WildFly's factory would look for {@code jms.queue.mailbox.dlq}. */
  private static final Queue QUEUE = new ActiveMQQueue("mailbox.dlq");

  @Resource(lookup = "java:/ConnectionFactory")
  private transient ConnectionFactory connections;

  /** For the container. */
  public ForeignMessageServlet() {}

  /** Writes one text message, the query parameter {@code text}. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try (JMSContext context = connections.createContext()) {
      context.createProducer().send(QUEUE, request.getParameter("text"));
    }
    response.getWriter().write("written");
  }
}
