package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxFactory;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.memory.VirtualClock;

/**
 * Injects mailboxes and their clock into the methods of a test, and fails a test that passes but
 * leaves messages held.
 *
 * <pre>
 * &#64;ExtendWith(MailboxExtension.class)
 * class ShippingTest {
 *   &#64;Test
 *   void anOrderIsShipped(&#64;TestMailbox("orders") Mailbox&lt;Order, Receipt&gt; orders) {
 *     orders.send(new Order("two apples"));
 *     shipping.handleNext(orders);
 *   }
 * }
 * </pre>
 *
 * <p>A parameter annotated with {@link TestMailbox} is a {@link Mailbox}, {@link InMemoryMailbox},
 * {@link FakeMailbox} or {@link CollectingMailbox}; others of the type {@link VirtualClock} get the
 * clock. Both live for one test and its {@code @BeforeEach} and {@code @AfterEach} methods. Bodies
 * travel as JSON of the parameter's types, so a body that cannot travel fails the test. Replies
 * reach every mailbox of the test.
 */
public final class MailboxExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(MailboxExtension.class);

  /** An extension without state of its own. */
  public MailboxExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return !(parameter.getDeclaringExecutable() instanceof Constructor)
        && (parameter.isAnnotated(TestMailbox.class)
            || parameter.getParameter().getType() == VirtualClock.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Mailboxes mailboxes = mailboxes(context);
    return parameter
        .findAnnotation(TestMailbox.class)
        .map(named -> (Object) mailboxes.get(named.value(), parameter.getParameter()))
        .orElse(mailboxes.clock);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Mailboxes mailboxes = mailboxes(context);
    Map<String, Integer> held = mailboxes.held();
    mailboxes.close();
    if (!held.isEmpty() && context.getExecutionException().isEmpty()) {
      fail("messages are neither acknowledged nor nacked: " + held);
    }
  }

  private static Mailboxes mailboxes(ExtensionContext context) {
    return context.getStore(NAMESPACE).getOrComputeIfAbsent(Mailboxes.class);
  }

  /** The mailboxes of one test, which reply to one another. */
  static final class Mailboxes implements MailboxFactory {
    private final VirtualClock clock = new VirtualClock();
    private final Map<String, Mailbox<?, ?>> byName = new LinkedHashMap<>();
    private final MailboxResolver resolver =
        MailboxResolver.builder().factory(Pattern.compile(".*"), this).build();

    Mailbox<?, ?> get(String name, Parameter parameter) {
      Mailbox<?, ?> mailbox = byName.computeIfAbsent(name, unused -> make(name, parameter));
      if (!parameter.getType().isInstance(mailbox)) {
        throw new ParameterResolutionException(
            "mailbox "
                + name
                + " is a "
                + mailbox.getClass().getSimpleName()
                + ", not a "
                + parameter.getType().getSimpleName());
      }
      return mailbox;
    }

    private Mailbox<?, ?> make(String name, Parameter parameter) {
      Codec<Object> codec = Codecs.json(argument(parameter, 0));
      Codec<Object> replyCodec = Codecs.json(argument(parameter, 1));
      Class<?> type = parameter.getType();
      if (type == FakeMailbox.class) {
        return new FakeMailbox<>(name, codec, replyCodec, resolver, clock);
      }
      if (type == CollectingMailbox.class) {
        return new CollectingMailbox<>(name);
      }
      return InMemoryMailbox.builder(name, codec, replyCodec)
          .resolver(resolver)
          .clock(clock)
          .build();
    }

    private static Type argument(Parameter parameter, int index) {
      if (parameter.getParameterizedType() instanceof ParameterizedType type) {
        Type argument = type.getActualTypeArguments()[index];
        return argument instanceof WildcardType ? Object.class : argument;
      }
      return Object.class;
    }

    @Override
    @SuppressWarnings(
        "unchecked") // The test that injects the mailbox gives it the type of the replies.
    public <R> Mailbox<R, ?> open(String name, Codec<R> codec) {
      @Nullable Mailbox<?, ?> mailbox = byName.get(name);
      if (mailbox == null) {
        throw new MailboxNotFoundException("the test has no mailbox " + name);
      }
      return (Mailbox<R, ?>) mailbox;
    }

    Map<String, Integer> held() {
      Map<String, Integer> held = new TreeMap<>();
      byName.forEach(
          (name, mailbox) -> {
            int count = held(mailbox);
            if (count > 0) {
              held.put(name, count);
            }
          });
      return held;
    }

    private static int held(Mailbox<?, ?> mailbox) {
      if (mailbox instanceof FakeMailbox<?, ?> fake) {
        return fake.heldCount();
      }
      return mailbox instanceof InMemoryMailbox<?, ?> inMemory ? inMemory.heldCount() : 0;
    }

    void close() {
      byName.values().forEach(Mailbox::close);
    }
  }
}
