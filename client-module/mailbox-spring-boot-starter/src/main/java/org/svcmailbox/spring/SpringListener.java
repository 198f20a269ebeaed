package org.svcmailbox.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.svcmailbox.client.listener.ListenerSignature;

/**
 * A method that handles the messages of a mailbox.
 *
 * @param bean the name of the bean whose method it is
 */
record SpringListener(String mailbox, String bean, Method method, ListenerSignature signature) {
  /** Calls the method through the bean and its proxies. */
  @Nullable Object call(BeanFactory beans, Object argument) throws Exception {
    Object found = beans.getBean(bean);
    Method invocable = AopUtils.selectInvocableMethod(method, found.getClass());
    invocable.setAccessible(true);
    return ListenerSignature.invoke(invocable, found, argument);
  }

  @Override
  public String toString() {
    return name(method);
  }

  static String name(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}
