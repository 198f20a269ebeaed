package org.svcmailbox.client.cdi;

import jakarta.enterprise.event.Reception;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.enterprise.inject.spi.ObserverMethod;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Set;

/**
 * Runs an action when the module of a class has an event. WildFly calls {@link #notify(Object)},
 * which does nothing in an observer that an {@code ObserverMethodConfigurator} makes.
 */
final class ModuleObserver<E> implements ObserverMethod<E> {
  private final Class<?> inside;
  private final Class<E> event;
  private final int priority;
  private final Runnable action;

  ModuleObserver(Class<?> inside, Class<E> event, int priority, Runnable action) {
    this.inside = inside;
    this.event = event;
    this.priority = priority;
    this.action = action;
  }

  @Override
  public Class<?> getBeanClass() {
    return inside;
  }

  @Override
  public Type getObservedType() {
    return event;
  }

  @Override
  public Set<Annotation> getObservedQualifiers() {
    return Set.of();
  }

  @Override
  public Reception getReception() {
    return Reception.ALWAYS;
  }

  @Override
  public TransactionPhase getTransactionPhase() {
    return TransactionPhase.IN_PROGRESS;
  }

  @Override
  public int getPriority() {
    return priority;
  }

  @Override
  public void notify(E happened) {
    action.run();
  }
}
