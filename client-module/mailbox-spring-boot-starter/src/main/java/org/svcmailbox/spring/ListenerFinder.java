package org.svcmailbox.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.listener.ListenerSignature;

/** Finds the listeners among the beans of an application. */
final class ListenerFinder {
  private final ConfigurableListableBeanFactory beans;
  private final List<SpringListener> listeners = new ArrayList<>();
  private final Map<String, SpringListener> byMailbox = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  private ListenerFinder(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Finds all listeners.
   *
   * @throws IllegalStateException if a method cannot be one, with all problems
   */
  static List<SpringListener> find(ConfigurableListableBeanFactory beans) {
    ListenerFinder finder = new ListenerFinder(beans);
    for (String bean : beans.getBeanDefinitionNames()) {
      if (!ScopedProxyUtils.isScopedTarget(bean)) {
        finder.look(bean);
      }
    }
    if (!finder.problems.isEmpty()) {
      throw new IllegalStateException(
          "problems with mailbox listeners:\n  " + String.join("\n  ", finder.problems));
    }
    return finder.listeners;
  }

  private void look(String bean) {
    @Nullable Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
    if (type == null) {
      return;
    }
    Map<Method, MailboxListener> methods =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<@Nullable MailboxListener>)
                method ->
                    AnnotatedElementUtils.findMergedAnnotation(method, MailboxListener.class));
    methods.forEach((method, listener) -> add(bean, method, listener.value()));
  }

  private void add(String bean, Method method, String mailbox) {
    List<String> wrong = new ArrayList<>(ListenerSignature.problems(method));
    if (!MailboxNames.isValid(mailbox)) {
      wrong.add("names no mailbox: a name has 1 to 255 of A-Z a-z 0-9 . _ -");
    }
    if (wrong.isEmpty()) {
      SpringListener listener =
          new SpringListener(mailbox, bean, method, ListenerSignature.of(method));
      SpringListener other = byMailbox.putIfAbsent(mailbox, listener);
      if (other != null) {
        wrong.add("listens to " + mailbox + ", as " + other + " does");
      }
      listeners.add(listener);
    }
    wrong.forEach(problem -> problems.add(SpringListener.name(method) + ": " + problem));
  }
}
