"""PyTorch's time for the training steps of bench/engine.ts.

Reads lines "dense 16" or "conv 8" and answers each with the milliseconds of so many steps, as JSON; the first line says the settings.
usage: python3 bench/peers/torch_steps.py [cpu|cuda]
"""

import json
import sys
import time

import torch
from torch import nn

device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
if device == "cpu":
    torch.set_num_threads(min(torch.get_num_threads(), len(__import__("os").sched_getaffinity(0))))


def dense():
    sizes = [784, 500, 500, 2000, 10]
    layers = []
    for side in (sizes, sizes[::-1]):
        for i, (a, b) in enumerate(zip(side, side[1:])):
            layers += [nn.Linear(a, b)] + ([nn.ReLU()] if i < 3 else [])
    return nn.Sequential(*layers), (256, 784)


class Unit(nn.Module):
    def forward(self, z):
        return nn.functional.normalize(z, dim=-1)


def conv():
    def down(a, b, stride):
        return [nn.Conv2d(a, b, 3, stride, 1), nn.BatchNorm2d(b), nn.ReLU()]

    def up(a, b, stride):
        return [nn.ConvTranspose2d(a, b, 3, stride, 1, stride - 1), nn.BatchNorm2d(b), nn.ReLU()]

    encoder = [*down(1, 16, 1), *down(16, 32, 2), *down(32, 32, 1), *down(32, 16, 2), nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10), Unit()]
    decoder = [nn.Linear(10, 256), nn.ReLU(), nn.Linear(256, 784), nn.Unflatten(1, (16, 7, 7)), *up(16, 32, 2), *up(32, 32, 1), *up(32, 16, 2), nn.ConvTranspose2d(16, 1, 3, 1, 1), nn.Sigmoid()]
    return nn.Sequential(*encoder, *decoder), (256, 1, 28, 28)


class Training:
    def __init__(self, network, shape):
        self.network = network.to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), 1e-3)
        self.x = torch.rand(*shape, device=device)

    def step(self):
        loss = nn.functional.mse_loss(self.network(self.x), self.x)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss

    def times(self, count):
        for _ in range(3):
            self.step()
        result = []
        if device == "cuda":  # kernels run beside the program: time them all together
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(count):
                self.step()
            torch.cuda.synchronize()
            return [(time.perf_counter() - start) * 1e3 / count]
        for _ in range(count):
            start = time.perf_counter()
            self.step().item()
            result.append((time.perf_counter() - start) * 1e3)
        return result


torch.manual_seed(0)
trainings = {"dense": Training(*dense()), "conv": Training(*conv())}
where = torch.cuda.get_device_name() if device == "cuda" else f"{torch.get_num_threads()} threads"
print(json.dumps({"settings": f"PyTorch {torch.__version__}, {where}, eager, NCHW, plain Adam, float32"}), flush=True)
for line in sys.stdin:
    name, count = line.split()
    print(json.dumps(trainings[name].times(int(count))), flush=True)
