#include <gtest/gtest.h>
#include <hamel/manifold/s2.hpp>
#include <hamel/mechanics/field.hpp>
#include <iostream>
using namespace hamel;
static Model chain(int n) {
  Model model("chain");
  MatrixXd masses(n,1), lengths(n,1);
  for (int i=0;i<n;++i){masses(i)=1+0.3*i; lengths(i)=0.5+0.1*i;}
  if(n==2){masses<<1.3,0.7; lengths<<0.9,1.4;}
  auto m = model.parameter("m", masses), l = model.parameter("l", lengths);
  auto g = model.parameter("g", 9.81);
  auto q = model.coordinates<S2>("q", n);
  Vec3 x = l[0]*q[0];
  for (int i=0;i<n;++i){ if(i>0) x = x + l[i]*q[i];
    model.kinetic(m[i]/2*squared_norm(rate(x)));
    model.potential(m[i]*g*x.z()); }
  return model;
}
TEST(Smoke, Double) {
  System fast = derive(chain(2)), slow = derive(chain(2), {Path::reduced});
  std::cout << fast.path_reason() << " ops " << fast.constant_mass().acceleration.program().operations() << "\n";
  VectorXd q(6), w(6);
  q << 2./3,1./3,2./3, 2./7,3./7,6./7; w << 0.9,0,-0.9, 1.5,-1,0;
  State s = fast.state(0,q,w);
  for (const System* sys : {&fast,&slow}) {
    Workspace work(*sys); VectorXd a(6), xi(6);
    sys->acceleration(work,0,s.q,s.v,a);
    sys->space().rates_of_acceleration(s.q,s.v,a,xi);
    std::cout.precision(13); std::cout << xi.transpose() << "\n";
    for (Form form : {Form::velocity,Form::omega,Form::mu,Form::pi}) { Field f(*sys,form); VectorXd y=f.pack(work,s), d(f.size()); f(work,0,y,d); 
      std::cout << (f.unpack(work,0,y).v - s.v).norm() << "  ";
      // finite difference check
      double e=1e-6; VectorXd q1=s.q+e*s.v+0.5*e*e*a, q0=s.q-e*s.v+0.5*e*e*a; State p{e,q1,s.v+e*a}, m{-e,q0,s.v-e*a};
      sys->space().project(q1,p.q); sys->space().project(q0,m.q);
      std::cout << ((f.pack(work,p)-f.pack(work,m))/(2*e)-d).norm() << "\n"; }
  }
  for (int n : {1,2,5,10,100}) { auto t0=std::chrono::steady_clock::now(); System s2=derive(chain(n)); 
   std::cout << n << " derive " << std::chrono::duration<double>(std::chrono::steady_clock::now()-t0).count() << " acc ops " << s2.constant_mass().acceleration.program().operations() << " newton " << s2.constant_mass().step.newton.program().operations() << " refine " << s2.constant_mass().step.refine.program().operations()<< " finish " << s2.constant_mass().step.finish.program().operations() << "\n"; }
}
