package org.svcmailbox.client.cdi;

import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.listener.ListenerSignature;

/**
 * Calls a listener's method through its bean, so that interceptors take part. Each call has its own
 * request context, and destroys dependent objects at its end.
 */
final class ListenerCall {
  private final BeanManager beans;
  private final Bean<?> bean;
  private final Method method;

  ListenerCall(BeanManager beans, CdiListener listener) {
    this.beans = beans;
    this.bean = listener.bean();
    this.method = listener.method();
    method.setAccessible(true);
  }

  /**
   * Makes a call.
   *
   * @throws Exception what the method throws
   */
  @Nullable Object with(Object argument) throws Exception {
    Instance<RequestContextController> requests =
        beans.createInstance().select(RequestContextController.class);
    RequestContextController request = requests.get();
    boolean activated = request.activate();
    try {
      return invoke(argument);
    } finally {
      if (activated) {
        request.deactivate();
      }
      requests.destroy(request);
    }
  }

  private @Nullable Object invoke(Object argument) throws Exception {
    CreationalContext<?> context = beans.createCreationalContext(bean);
    try {
      return ListenerSignature.invoke(
          method, beans.getReference(bean, bean.getBeanClass(), context), argument);
    } finally {
      context.release();
    }
  }
}
