package org.svcmailbox.client.cdi;

import static java.util.Objects.requireNonNull;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.DefinitionException;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.inject.spi.ProcessInjectionPoint;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.interceptor.Interceptor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.cdi.Planner.Plan;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.listener.HttpMailboxes;
import org.svcmailbox.client.listener.MailboxPoint;

/**
 * Implements {@link MailboxListener} and {@link MailboxName}. Containers find it automatically;
 * applications do not call it.
 *
 * <p>An invalid listener, injection point or setting fails the deployment, with all problems in one
 * message. Loops start and stop with the application or, in an EAR, with their WAR. A message is
 * acknowledged only after its listener has returned.
 */
public final class MailboxCdiExtension implements Extension {
  private final DeploymentProblems problems = new DeploymentProblems();
  private final Declarations declarations = new Declarations(problems);
  private boolean isWarOfEar;
  private @Nullable Plan plan;
  private @Nullable BeanManager manager;
  private final Map<ClassLoader, CdiListenerLoops> running = new ConcurrentHashMap<>();

  void addListeners(@Observes ProcessManagedBean<?> event) {
    declarations.addListeners(event.getBean(), event.getAnnotatedBeanClass());
  }

  void addBean(@Observes ProcessBean<?> event) {
    declarations.addBean(event.getBean());
  }

  void addInjectionPoint(@Observes ProcessInjectionPoint<?, ?> event) {
    declarations.addInjectionPoint(event.getInjectionPoint());
  }

  void addMailboxes(@Observes AfterBeanDiscovery event) {
    isWarOfEar = !isInside();
    Config config =
        isWarOfEar
            ? ConfigProvider.getConfig(MailboxCdiExtension.class.getClassLoader())
            : ConfigProvider.getConfig();
    Plan made = Planner.plan(declarations, config, System.getenv(), problems);
    if (!problems.isEmpty()) {
      event.addDefinitionError(new DefinitionException(problems.report()));
      return;
    }
    made.points().forEach(point -> addMailbox(event, point, made.http()));
    made.listeners().stream()
        .collect(Collectors.groupingBy(ListenerPlan::loader))
        .forEach((module, listeners) -> addLoops(event, module, listeners));
    plan = made;
  }

  /**
   * Whether the container calls for an application that can load this class. An EAR cannot load the
   * class from one of its WARs, and another WAR has its own copy.
   */
  private static boolean isInside() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    try {
      return Class.forName(MailboxCdiExtension.class.getName(), false, context)
          == MailboxCdiExtension.class;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private void addMailbox(AfterBeanDiscovery event, MailboxPoint point, HttpMailboxes http) {
    // All WARs share their beans' contexts, where an identifier stands for one bean.
    String whose = isWarOfEar ? " of " + MailboxCdiExtension.class.getClassLoader() : "";
    event
        .<Mailbox<?, ?>>addBean()
        .id(MailboxCdiExtension.class.getName() + " " + point + whose)
        .types(point.type(), Object.class)
        .qualifiers(MailboxName.Literal.of(point.name()), Any.Literal.INSTANCE)
        .scope(ApplicationScoped.class)
        .createWith(context -> http.open(point))
        .destroyWith((mailbox, context) -> mailbox.close());
  }

  /**
   * Starts loops after the observers of their module, which may set up resources for listeners, and
   * stops them before the observers that close these resources. An EAR that has started has not
   * started its WARs, and has no names for their threads: the module is the one that a listener's
   * class is in.
   */
  private void addLoops(
      AfterBeanDiscovery event, ClassLoader module, List<ListenerPlan> listeners) {
    Class<?> inside = listeners.get(0).listener().bean().getBeanClass();
    event.addObserverMethod(
        new ModuleObserver<>(
            inside,
            Startup.class,
            Interceptor.Priority.LIBRARY_AFTER,
            () -> start(module, listeners)));
    event.addObserverMethod(
        new ModuleObserver<>(
            inside, Shutdown.class, Interceptor.Priority.LIBRARY_BEFORE, () -> stop(module)));
  }

  private void start(ClassLoader module, List<ListenerPlan> listeners) {
    running.computeIfAbsent(
        module, key -> CdiListenerLoops.start(listeners, requireNonNull(manager)));
  }

  private void stop(ClassLoader module) {
    CdiListenerLoops loops = running.remove(module);
    if (loops != null) {
      loops.stop();
    }
  }

  /** Checks settings against the mailboxes that the application produces. */
  void check(@Observes AfterDeploymentValidation event, BeanManager beans) {
    if (plan == null) {
      return;
    }
    manager = beans;
    useOwnConnections(plan, beans);
    CreationalContext<?> context = beans.createCreationalContext(null);
    try {
      for (ListenerPlan listener : plan.listeners()) {
        if (listener.target().bean() != null) {
          listener.check(listener.target().mailbox(beans, context).features(), problems);
        }
      }
    } finally {
      context.release();
    }
    if (!problems.isEmpty()) {
      event.addDeploymentProblem(new DeploymentException(problems.report()));
    }
  }

  private static void useOwnConnections(Plan plan, BeanManager beans) {
    Instance<HttpConnections> own = beans.createInstance().select(HttpConnections.class);
    if (own.isResolvable()) {
      plan.http().use(own.get());
    }
  }

  void close(@Observes BeforeShutdown event) {
    if (plan != null) {
      plan.http().close();
    }
  }
}
