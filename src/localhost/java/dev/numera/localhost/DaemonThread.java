package dev.numera.localhost;

/** A thread that keeps no process from ending. */
final class DaemonThread extends Thread {
    DaemonThread(Runnable task, String name) {
        super(task, name);
        setDaemon(true);
    }
}
