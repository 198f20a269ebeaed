package org.svcmailbox.client.cdi;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.inject.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.listener.GenericType;
import org.svcmailbox.client.listener.ListenerSignature;
import org.svcmailbox.client.listener.MailboxPoint;

/**
 * The listeners, injection points and mailboxes of an application, gathered while the container
 * discovers its beans.
 */
final class Declarations {
  private final DeploymentProblems problems;
  private final Map<String, CdiListener> listeners = new HashMap<>();
  private final Map<String, List<Bean<?>>> produced = new HashMap<>();
  private final List<InjectionPoint> injected = new ArrayList<>();

  Declarations(DeploymentProblems problems) {
    this.problems = problems;
  }

  /** The listeners; no two have the same mailbox. */
  Collection<CdiListener> listeners() {
    return listeners.values();
  }

  boolean hasListener(String mailbox) {
    return listeners.containsKey(mailbox);
  }

  /** Whether the application produces the mailbox of this name itself. */
  boolean isProduced(String mailbox) {
    return produced.containsKey(mailbox);
  }

  /** Adds the listeners among a bean's methods. */
  void addListeners(Bean<?> bean, AnnotatedType<?> type) {
    for (AnnotatedMethod<?> annotated : type.getMethods()) {
      MailboxListener listener = annotated.getAnnotation(MailboxListener.class);
      Method method = annotated.getJavaMember();
      if (listener != null && !method.isBridge() && !isOverridden(type.getJavaClass(), method)) {
        addListener(bean, method, listener.value());
      }
    }
  }

  private void addListener(Bean<?> bean, Method method, String mailbox) {
    List<String> wrong = new ArrayList<>(ListenerSignature.problems(method));
    if (!MailboxNames.isValid(mailbox)) {
      wrong.add("the mailbox's name must be 1 to 255 of A-Z a-z 0-9 . _ -");
    }
    if (!bean.getTypes().contains(bean.getBeanClass())) {
      wrong.add("its class is not among the types of its bean, so it cannot be called");
    }
    String name = CdiListener.name(method);
    wrong.forEach(problem -> problems.add(name, problem));
    if (wrong.isEmpty()) {
      CdiListener listener = new CdiListener(mailbox, bean, method, ListenerSignature.of(method));
      CdiListener other = listeners.putIfAbsent(mailbox, listener);
      if (other != null) {
        problems.add(name, "mailbox " + mailbox + " has another listener, " + other);
      }
    }
  }

  /** A container also lists methods of superclasses, whether or not they are overridden. */
  private static boolean isOverridden(Class<?> beanClass, Method method) {
    Class<?> type = beanClass;
    while (type != null && type != method.getDeclaringClass()) {
      if (Arrays.stream(type.getDeclaredMethods()).anyMatch(other -> overrides(other, method))) {
        return true;
      }
      type = type.getSuperclass();
    }
    return false;
  }

  private static boolean overrides(Method other, Method method) {
    return other.getName().equals(method.getName())
        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes())
        && !Modifier.isPrivate(method.getModifiers());
  }

  /** Records a bean that is a mailbox with a name. */
  void addBean(Bean<?> bean) {
    name(bean.getQualifiers())
        .ifPresent(name -> produced.computeIfAbsent(name, key -> new ArrayList<>()).add(bean));
  }

  /** Records an injection point of a mailbox with a name. */
  void addInjectionPoint(InjectionPoint point) {
    if (name(point.getQualifiers()).isPresent()) {
      injected.add(point);
    }
  }

  /** The injected mailboxes that the application does not produce itself. */
  List<MailboxPoint> wanted() {
    List<MailboxPoint> wanted = new ArrayList<>();
    for (InjectionPoint point : injected) {
      String name = name(point.getQualifiers()).orElseThrow();
      String where =
          point.getMember().getDeclaringClass().getName() + "." + point.getMember().getName();
      List<Type> types = GenericType.arguments(unwrapped(point.getType()), Mailbox.class);
      if (isProduced(name)) {
        continue;
      }
      if (!MailboxNames.isValid(name)) {
        problems.add(where, "the mailbox's name must be 1 to 255 of A-Z a-z 0-9 . _ -");
      } else if (types.isEmpty() || !types.stream().allMatch(GenericType::isComplete)) {
        problems.add(
            where, "must be a Mailbox<T, R> that names both types; without replies, R is Object");
      } else {
        wanted.add(new MailboxPoint(name, types.get(0), types.get(1)));
      }
    }
    return wanted;
  }

  /**
   * Finds the mailbox that the application produces itself.
   *
   * @param reply null if replies may have any type
   */
  Optional<ListenerTarget> produced(String name, Type body, @Nullable Type reply, String wantedBy) {
    List<ListenerTarget> fitting = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Bean<?> bean : produced.getOrDefault(name, List.of())) {
      for (Type type : bean.getTypes()) {
        List<Type> types = GenericType.arguments(type, Mailbox.class);
        if (types.isEmpty()) {
          continue;
        }
        if (types.get(0).equals(body) && (reply == null || types.get(1).equals(reply))) {
          fitting.add(new ListenerTarget(new MailboxPoint(name, types.get(0), types.get(1)), bean));
        } else {
          others.add(GenericType.of(Mailbox.class, types.get(0), types.get(1)).toString());
        }
      }
    }
    if (fitting.size() != 1) {
      problems.add(
          wantedBy,
          "needs one mailbox "
              + name
              + " of the type "
              + GenericType.of(Mailbox.class, body, reply == null ? Object.class : reply)
              + ", but the application produces "
              + (fitting.isEmpty() ? String.join(", ", others) : fitting.size() + " of that type"));
      return Optional.empty();
    }
    return Optional.of(fitting.get(0));
  }

  private static Type unwrapped(Type type) {
    for (Class<?> wrapper : List.of(Instance.class, Provider.class)) {
      List<Type> inner = GenericType.arguments(type, wrapper);
      if (!inner.isEmpty()) {
        return inner.get(0);
      }
    }
    return type;
  }

  private static Optional<String> name(Collection<Annotation> qualifiers) {
    return qualifiers.stream()
        .filter(MailboxName.class::isInstance)
        .map(qualifier -> ((MailboxName) qualifier).value())
        .findFirst();
  }
}
