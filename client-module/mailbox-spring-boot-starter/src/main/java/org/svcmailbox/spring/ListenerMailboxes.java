package org.svcmailbox.spring;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.svcmailbox.client.Mailbox;

/** The mailboxes of listeners: the application's own beans, else opened over HTTP. */
final class ListenerMailboxes implements AutoCloseable {
  private final ConfigurableListableBeanFactory beans;
  private final Mailboxes http;
  private final List<Mailbox<?, ?>> opened = new ArrayList<>();

  ListenerMailboxes(ConfigurableListableBeanFactory beans, Mailboxes http) {
    this.beans = beans;
    this.http = http;
  }

  /**
   * The mailbox of a listener, or of its dead letters.
   *
   * @param body of its messages
   * @throws IllegalStateException if there are several, or one with other bodies
   */
  Mailbox<?, ?> mailbox(String name, Type body, Type reply) {
    List<String> own = new ArrayList<>();
    for (String bean : beans.getBeanNamesForType(Mailbox.class)) {
      if (beans.getBean(bean, Mailbox.class).name().equals(name)) {
        own.add(bean);
      }
    }
    if (own.size() > 1) {
      throw new IllegalStateException("mailbox " + name + " is several beans: " + own);
    }
    return own.isEmpty() ? open(name, body, reply) : produced(own.get(0), name, body);
  }

  private Mailbox<?, ?> open(String name, Type body, Type reply) {
    Mailbox<?, ?> mailbox = http.opened(name, body, reply);
    opened.add(mailbox);
    return mailbox;
  }

  private Mailbox<?, ?> produced(String bean, String name, Type body) {
    ResolvableType has =
        beans.getMergedBeanDefinition(bean).getResolvableType().as(Mailbox.class).getGeneric(0);
    @Nullable Class<?> known = has.resolve();
    if (known != null && !has.getType().equals(body)) {
      throw new IllegalStateException(
          "mailbox " + name + ": the bean " + bean + " has bodies of " + has + ", not " + body);
    }
    return beans.getBean(bean, Mailbox.class);
  }

  @Override
  public void close() {
    opened.forEach(Mailbox::close);
    opened.clear();
  }
}
